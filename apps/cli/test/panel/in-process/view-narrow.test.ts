import { reduceForm } from "@askwire/client/form";
import { describe, expect, test } from "vitest";
import { database, features, form, option, question, themes } from "./forms.js";
import { drawn, frame } from "./screen.js";

test("the last line of a long preview says how much more there is, and an option may have no preview", () => {
  expect(frame(form([themes]), {}, { rows: 10 })).toMatchInlineSnapshot(`
    "
    Theme · Which theme?
    ❯ 1. Day (recommended)     Bright, for offices  ╭─ Preview ────────────────────╮
      2. Night                 Dark, for cellars    │ body {                       │
      3. As the system has it                       │   background: white;         │
      4. Other                                      │   color: black;              │
                                                    │ }                            │
                                                    │ … 4 more lines · Ctrl-E      │
                                                    ╰──────────────────────────────╯
    ↑↓ move · Enter choose · Tab own text · Ctrl-E show all · Esc decline
    "
  `);
  expect(frame(form([themes], [{ type: "focus", row: 2 }]), {}, { rows: 10 })).toContain(
    "No preview available.",
  );
});

test("a preview beside the list has 32 to 80 columns, and no more than half of the screen", () => {
  const width = (preview: string, columns: number) => {
    const options = [{ id: "a", label: "A", description: "", preview }];
    const { lines } = drawn(form([question("Which?", { options })]), {}, { columns });
    return /╭.*╮/.exec(lines.join("\n"))?.[0].length;
  };
  expect([72, 200].map((columns) => width("x", columns))).toEqual([32, 32]);
  expect([80, 120, 200, 400].map((columns) => width("x".repeat(300), columns))).toEqual([40, 60, 80, 80]);
});

test.each([60, 80])("a preview in %i columns has at least one line in its frame, or no frame", (columns) => {
  for (let rows = 2; rows <= 24; rows++) {
    const text = drawn(form([themes]), {}, { columns, rows }).lines.join("\n");
    if (/[╭╰]/.test(text)) expect(text).toMatch(/╭.*\n.*│ [^│]*│\n[\s\S]*╰/);
  }
});

test("text that does not fit is cut, and the key that shows it is named", () => {
  const body = "The plan has three parts. ".repeat(40);
  expect(frame(form([{ ...database, body }]), {}, { rows: 16 })).toMatchInlineSnapshot(`
    "

    Database · Which database should the service use?
    The plan has three parts. The plan has three parts. The plan has three parts.
    The plan has three parts. The plan has three parts. The plan has three parts.
    The plan has three parts. The plan has three parts. The plan has three parts.
    The plan has three parts. The plan has three parts. The plan has three parts.
    … Ctrl-E shows all

      1. PostgreSQL (recommended)  Relational, strong consistency, needs a server
    ❯ 2. SQLite (default)          One file, no server, one writer at a time
      3. None yet                  Keep everything in memory until the shape is
                                   clear
      4. Other

    ↑↓ move · Enter choose · Tab own text · Ctrl-E show all · Esc decline
    "
  `);
});

test("descriptions go below their labels in forty columns", () => {
  const state = form([database, features], [{ type: "move", by: 1 }]);
  expect(frame(state, {}, { columns: 40, rows: 18 })).toMatchInlineSnapshot(`
    "

    [☐ Database] ☐ Features  Submit

    Which database should the service use?

      1. PostgreSQL (recommended)
         Relational, strong consistency,
         needs a server
      2. SQLite (default)
         One file, no server, one writer at
         a time
    ❯ 3. None yet
         Keep everything in memory until the
         shape is clear
      4. Other

    ↑↓ move · Enter choose · Esc decline
    "
  `);
});

test("twenty columns and five rows show what is asked and the current row", () => {
  const state = form([database, features], [{ type: "move", by: 1 }]);
  expect(frame(state, {}, { columns: 20, rows: 5 })).toMatchInlineSnapshot(`
    "
    [☐ Database]›
    Which database…
    ❯ 3. None yet
         Keep everythin…
    "
  `);
});

test("a hint stands above the last line", () => {
  expect(frame(form([features], [{ type: "confirm" }]), {}, { rows: 10 })).toMatchInlineSnapshot(`
    "
    Features · Which features go into the first release? (select several)
    ❯ 1. [ ] Search
      2. [ ] Export
      3. [ ] Single sign-on
      4. [ ] Audit log
      5. [ ] Other
      ✔ Submit
    ! Select at least one or type an answer, or Esc to decline.
    ↑↓ move · Space select · Enter confirm · Tab own text · Esc decline
    "
  `);
});

test("tabs show the current, the answered and the open questions, and a single question has no tabs", () => {
  const state = form([database, features, question("And then?")], [{ type: "choose", row: 0 }]);
  expect(drawn(state).lines[1]).toBe(" ✔ Database [☐ Features] ☐ Q3  Submit");
  expect(frame(form([database]))).not.toMatch(/[☐✔[\]]|Submit/);
});

test("tabs that do not fit lie beyond the ends of the bar, and the current one is always shown", () => {
  const questions = Array.from({ length: 12 }, (_, index) => question(`Question ${index + 1}`));
  const bar = (tab: number) => drawn(form(questions, [{ type: "show", tab }]), {}, { columns: 40 }).lines[1];
  expect([0, 6, 12].map(bar)).toEqual([
    "[☐ Q1] ☐ Q2  ☐ Q3  ☐ Q4  ☐ Q5  ☐ Q6 ›",
    "‹ ☐ Q5  ☐ Q6 [☐ Q7] ☐ Q8  ☐ Q9  ☐ Q10 ›",
    "‹ ☐ Q9  ☐ Q10  ☐ Q11  ☐ Q12 [Submit]",
  ]);
});

test("the deadline stays where the title and the number of waiting requests do not fit", () => {
  const asks = "The sub-agent coder has a question for you";
  const waits = { title: asks, waiting: 2, deadline: { seconds: 42, on_expiry: "default" } } as const;
  const title = (columns: number) => drawn(form([database]), waits, { columns, rows: 12 }).lines[0];
  expect([100, 80, 50, 30, 15].map(title)).toEqual([
    "? The sub-agent coder has a question for you · 2 more waiting · 42 s left, then the default counts",
    "? The sub-agent coder has a question for you · 42 s left",
    "? The sub-agent coder has a question … · 42 s left",
    "? The sub-agent c… · 42 s left",
    "? The sub-agen…",
  ]);
});

test("a list of a hundred options shows those around the cursor and how many more there are", () => {
  const options = Array.from({ length: 100 }, (_, index) => ({
    id: `${index}`,
    label: `Branch ${index + 1}`,
    description: "",
  }));
  const state = form([question("Which branch?", { options })], [{ type: "focus", row: 49 }]);
  expect(frame(state, {}, { rows: 11 })).toMatchInlineSnapshot(`
    "
    Which branch?
      ↑ 47 more
       48. Branch 48
       49. Branch 49
    ❯  50. Branch 50
       51. Branch 51
       52. Branch 52
       53. Branch 53
      ↓ 48 more
    ↑↓ move · Enter choose · Ctrl-E show all · Esc decline · Ctrl-F search
    "
  `);
});

describe("the page to review in a very small terminal", () => {
  const answered = form(
    [database, features],
    [{ type: "choose", row: 0 }, { type: "choose", row: 1 }, { type: "confirm" }],
  );
  test.each([
    [80, 2, "\n❯ 1. Submit answers\n"],
    [80, 3, "\n❯ 1. Submit answers\n  2. Cancel\n"],
    [80, 4, "\nReview your answers\n❯ 1. Submit answers\n  2. Cancel\n"],
    [12, 3, "\n❯ 1. Submit…\n  2. Cancel\n"],
    [9, 3, "\n❯ Submit…\n  Cancel\n"],
    [7, 3, "\n❯Submi…\n Cancel\n"],
    [3, 3, "\n❯S…\n C…\n"],
  ])(
    "the page to review in %i by %i has its rows, and their words before their numbers",
    (columns, rows, shown) => {
      expect(frame(answered, {}, { columns, rows })).toBe(shown);
    },
  );

  test("a very small page to review says beside the current row why a key did nothing", () => {
    const again = reduceForm(answered, { type: "escape", at: 0 });
    expect(frame(again, {}, { columns: 40, rows: 3 })).toBe(
      "\n❯ 1. Submit answers\n! Press Esc again to decline all.\n",
    );
    expect(frame(again, {}, { columns: 40, rows: 4 })).toBe(
      "\n❯ 1. Submit answers\n  2. Cancel\n! Press Esc again to decline all.\n",
    );
  });
});

test.each([
  [40, 20],
  [40, 16],
  [40, 12],
  [20, 24],
])(
  "at %i columns and %i rows no word of an approval's title and rows is cut: a row is whole, or counted",
  (columns, rows) => {
    const asked = question("Change the file package.json", {
      options: [
        option("Approve", ""),
        option("Approve this file for this session", "further changes of package.json too"),
        option("Approve for this session", "every further “edit file” too"),
        option("Reject", ""),
      ],
    });
    for (let row = 0; row < 5; row += 1) {
      const state = { ...form([asked], [{ type: "focus", row }]), options: { enterOnly: true } };
      const title = "StrReplaceFile of the sub-agent coder asks to edit file";
      const { lines } = drawn(state, { title }, { columns, rows });
      const text = lines.join(" ").replaceAll(/\s+/g, " ");
      expect(text).toContain(title);
      for (const { label, description } of asked.options) {
        if (!text.includes(`${asked.options.findIndex((each) => each.label === label) + 1}. `)) continue;
        expect(text).toContain(`${label} ${description}`.trim());
      }
      expect(text).toContain(`❯ ${row + 1}. `);
    }
  },
);
