// The cards that tests of the view show.

/** A change of a file. */
export const changeOf = (old_text: string, new_text: string, path = "src/a.ts") => ({
  ...{ type: "diff" as const, path, old_text, new_text, old_start: 1, new_start: 1, is_summary: false },
});

const open = { issues: [], delivery: { is: "draft" } };

/** An approval of these blocks. */
export const approvalOf = (...display: readonly object[]) => ({
  ...{ kind: "approval", id: "r2", outside: [] as string[], unsaved: [] as string[], ...open },
  request: {
    ...{ id: "r2", tool_call_id: "t", sender: "WriteFile", action: "edit file", description: "src/a.ts" },
    display,
  },
});

const texts = ["Where should the carts live?", "Which checks run?", "How are tables named?", "Which port?"];

/** A request of up to four questions, each with three options and room for own words. */
export const questionsOf = (count: number) => ({
  ...{ kind: "question", id: "r1", ...open },
  request: {
    ...{ id: "r1", tool_call_id: "t" },
    questions: texts.slice(0, count).map((question, at) => ({
      ...{ id: `q${at}`, question, header: ["Database", "Checks", "Names", "Port"][at], body: "" },
      ...{ multi_select: false, own_text: true, other_label: "", other_description: "" },
      options: [
        { id: "a", label: "SQLite (Recommended)", description: "One file, and nothing to run" },
        { id: "b", label: "PostgreSQL", description: "A server, for several machines" },
        { id: "c", label: "None yet", description: "Everything stays in memory" },
      ],
    })),
  },
});
