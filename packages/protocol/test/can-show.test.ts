import { describe, expect, test } from "vitest";
import { canShow, degradations } from "../src/index.js";
import { asked, declared, plain } from "./asked.js";
import { tableBelow } from "./protocol-page.js";

describe("the ability of a client to show a request", () => {
  const options = [{ label: "A" }, { label: "B" }];
  const two = (first: string, second: string) => [first, second].map((question) => ({ question, options }));
  const equalLabels = [{ question: "a", options: [{ label: "A" }, { label: "A" }] }];
  const requests: Record<string, Parameters<typeof canShow>[0]> = {
    "question, all texts different": { kind: "question", questions: two("a", "b") },
    "question, two texts equal": { kind: "question", questions: two("a", "a") },
    "question, two labels of it equal": { kind: "question", questions: equalLabels },
    "question of a connected program (P-XAK-7)": {
      kind: "question",
      questions: two("a", "b"),
      program: {},
    },
    approval: { kind: "approval" },
    "approval of a connected program (P-XAK-11)": { kind: "approval", program: {} },
    "approval, its options not to be said by three words (P-XAO-5)": { kind: "approval", asQuestion: {} },
  };
  const askwire = declared();
  const clients = {
    "base client with `supports_question`": { supports_question: true },
    "base client without": { supports_question: false },
    "extended client with it": { supports_question: true, askwire },
    "extended client without": { supports_question: false, askwire },
  };

  test("the ability of a client to show a request is as the page on the protocol says, cell by cell (P-CAP-2, P-XQS-2)", () => {
    const { head, rows } = tableBelow("P-CAP-2");
    const shown = rows.map(([name = "", ...cells]) => [name, cells.map((cell) => !cell.startsWith("not"))]);
    expect(head.slice(1)).toEqual(Object.keys(clients));
    expect(Object.entries(requests).map(([name]) => name)).toEqual(rows.map(([name]) => name));
    expect(shown).toEqual(
      Object.entries(requests).map(([name, request]) => [
        name,
        Object.values(clients).map((client) => canShow(request, client)),
      ]),
    );
  });

  test("an extended client with `approval_options` is sent every approval (P-CAP-2, P-XAO-1)", () => {
    const client = { supports_question: false, askwire: declared({ approval_options: true }) };
    expect(canShow({ kind: "approval", asQuestion: {} }, client)).toBe(true);
  });

  test("texts that differ by a blank are two texts (P-CAP-2)", () => {
    const request = { kind: "question" as const, questions: two("a", "a ") };
    expect(canShow(request, { supports_question: true })).toBe(true);
  });

  test("an `askwire` of null counts as absent (P-XNG-1)", () => {
    const equal = { kind: "question" as const, questions: two("a", "a") };
    expect(canShow(equal, { supports_question: true, askwire: null })).toBe(false);
  });
});

describe("the features that a client was not shown, or could not express", () => {
  const label = { label: "Yes, now" };
  /** A question with that feature and nothing else that could be lost. */
  const withFeature: Record<string, typeof plain & Record<string, unknown>> = {
    preview: { ...plain, options: [{ label: "A", preview: "# A" } as { label: string }] },
    placeholder: { ...plain, placeholder: "a name" },
    default: { ...plain, default: ["q1_o2"] },
    recommended: { ...plain, options: [{ label: "A", recommended: true } as { label: string }] },
    own_text: { ...plain, own_text: false },
    multi_label: { ...plain, options: [label], multi_select: true },
    field: { ...plain, options: [], field: { type: "integer" } },
    choices: { ...plain, multi_select: true, min: 2 },
    picture: { ...plain, picture: true },
  };
  /** True if the feature is listed for a question that has it. */
  function isListed(feature: string, askwire?: ReturnType<typeof declared>): boolean {
    const hasDeadline = feature === "deadline";
    const listed = degradations(
      asked(withFeature[feature] ?? plain),
      hasDeadline,
      askwire ? { askwire } : {},
    );
    const entry = hasDeadline ? { feature } : { question_id: "q1", feature };
    expect([[], [entry]]).toContainEqual(listed);
    return listed.length > 0;
  }

  test("the features that a client was not shown are listed as the page on the protocol says, row by row (P-XQS-3)", () => {
    const { rows } = tableBelow("P-XQS-3");
    const features = rows.map(([name = ""]) => name.replaceAll("`", ""));
    expect(features).toEqual([...Object.keys(withFeature), "deadline"]);
    const keys = ["previews", "notes", "attachments", "skip", "deadline", "fields"];
    for (const [name = "", , base, extended = ""] of rows) {
      const feature = name.replaceAll("`", "");
      const shownBy = /^listed unless it declared `(\w+)`$/.exec(extended)?.[1];
      if (shownBy === undefined) expect(["shown", "said by id"]).toContain(extended);
      expect(isListed(feature), `${feature}, base`).toBe(base === "listed");
      expect(isListed(feature, declared()), `${feature}, extended`).toBe(shownBy !== undefined);
      for (const key of keys) {
        const expected = shownBy !== undefined && key !== shownBy;
        expect(isListed(feature, declared({ [key]: true })), `${feature}, ${key}`).toBe(expected);
      }
    }
  });

  test("no feature is listed as not shown where the base profile says it all (P-XQS-3)", () => {
    expect(degradations(asked(plain), false, {})).toEqual([]);
    expect(degradations(asked({ ...plain, options: [label] }), false, {})).toEqual([]);
    expect(degradations(asked({ ...plain, multi_select: true }), false, { askwire: null })).toEqual([]);
    const advised = { ...plain, options: [{ label: "A", recommended: false }] };
    expect(degradations(asked(advised), false, {})).toEqual([]);
  });

  test("the features that a client was not shown are listed question by question, in the order of the table, the deadline last (P-XQS-3)", () => {
    const questions = asked({ ...plain, own_text: false, placeholder: "x" }, plain, {
      ...plain,
      id: "own",
      multi_select: true,
      options: [label, { label: "B", preview: "b" }],
    });
    expect(degradations(questions, true, {})).toEqual([
      { question_id: "q1", feature: "placeholder" },
      { question_id: "q1", feature: "own_text" },
      { question_id: "own", feature: "preview" },
      { question_id: "own", feature: "multi_label" },
      { feature: "deadline" },
    ]);
    expect(degradations(questions, true, { askwire: declared() })).toEqual([
      { question_id: "own", feature: "preview" },
      { feature: "deadline" },
    ]);
  });
});
