import type { QuestionReply, QuestionView } from "@askwire/client";
import { describe, expect, test } from "vitest";
import { sharedConversation } from "./conversation.js";

const agent = await sharedConversation();

interface Asked {
  readonly reply: never;
  /** The requests that the person was shown, in their order. */
  readonly views: readonly QuestionView[];
}

/** Has the agent ask a form, and a person answer with these replies, one after the other. */
async function form(requestedSchema: object, ...replies: QuestionReply[]): Promise<Asked> {
  const views: QuestionView[] = [];
  agent.person.question = (view) => {
    views.push(view);
    return replies[views.length - 1] ?? "declined";
  };
  const reply = await agent.act("request", "elicitation/create", {
    mode: "form",
    message: "Tell me",
    requestedSchema,
  });
  return { reply, views };
}

type Said = { selected?: string[]; own_text?: string; note?: string; skipped?: boolean };

/** An answer to the questions in their order. */
const items = (...said: Said[]): QuestionReply => ({
  items: said.map((item, index) => ({ question_id: `q${index + 1}`, selected: [], ...item })),
});

const accepted = (content: object) => ({ result: { action: "accept", content } });

/** Properties with the question that each becomes, an answer, and the value that the agent gets. */
const fields = [
  ["a text", { type: "string" }, { type: "text" }, { own_text: "a b" }, "a b"],
  [
    "a text of some length",
    { type: "string", minLength: 2, maxLength: 4 },
    { type: "text", bounds: { min: 2, max: 4 } },
    { own_text: "abc" },
    "abc",
  ],
  [
    "a text of a pattern",
    { type: "string", pattern: "^v\\d+$" },
    { type: "text", pattern: "^v\\d+$" },
    { own_text: "v12" },
    "v12",
  ],
  [
    "a text that begins as something",
    { type: "string", default: "main" },
    { type: "text", prefill: "main" },
    { own_text: "main" },
    "main",
  ],
  ["an email", { type: "string", format: "email" }, { type: "email" }, { own_text: "a@B.de" }, "a@b.de"],
  [
    "an address",
    { type: "string", format: "uri" },
    { type: "uri" },
    { own_text: "https://a.de/x" },
    "https://a.de/x",
  ],
  ["a date", { type: "string", format: "date" }, { type: "date" }, { own_text: "2026/3/1" }, "2026-03-01"],
  [
    "a time",
    { type: "string", format: "date-time" },
    { type: "text" },
    { own_text: "2026-03-01T09:30:00Z" },
    "2026-03-01T09:30:00Z",
  ],
  [
    "a number",
    { type: "number", minimum: 0.5, maximum: 9 },
    { type: "number", bounds: { min: 0.5, max: 9 } },
    { own_text: "2.50" },
    2.5,
  ],
  [
    "a whole number between others",
    { type: "integer", minimum: 0.5, maximum: 1e300 },
    { type: "integer", bounds: { min: 1, max: Number.MAX_SAFE_INTEGER } },
    { own_text: "7" },
    7,
  ],
  [
    "a whole number",
    { type: "integer", default: 3 },
    { type: "integer", prefill: "3" },
    { own_text: "7" },
    7,
  ],
  [
    "yes or no",
    { type: "boolean", default: false },
    { type: "boolean", prefill: "false" },
    { own_text: "yes" },
    true,
  ],
] as const;

describe("a form", () => {
  test.each(fields)(
    "a form with %s is a typed question, and the answer has the type",
    async (_, property, field, said, value) => {
      const { reply, views } = await form(
        { type: "object", properties: { k: property }, required: ["k"] },
        items(said),
      );
      expect(views[0]?.questions).toMatchObject([{ question: "Tell me", field }]);
      expect(reply).toEqual(accepted({ k: value }));
    },
  );

  test("a form with a default that is no text begins empty", async () => {
    const { views } = await form({
      type: "object",
      properties: { k: { type: "string", default: { a: 1 } } },
    });
    expect(views[0]?.questions[0]?.field).not.toHaveProperty("prefill");
  });

  test("a form with a property that is not required may be left empty", async () => {
    const properties = { name: { type: "string" }, age: { type: "integer" } };
    const { reply, views } = await form(
      { type: "object", properties, required: ["name"] },
      items({ own_text: "Ada" }, { skipped: true }),
    );
    expect(views[0]?.questions.map(({ field }) => field?.required)).toEqual([undefined, false]);
    expect(reply).toEqual(accepted({ name: "Ada" }));
  });

  test.each([
    ["enum", { enum: ["red", "blue"] }, ["red", "blue"], "blue"],
    ["enum and enumNames", { enum: ["r", "b"], enumNames: ["Red", "Blue"] }, ["Red", "Blue"], "b"],
    ["enum and too few enumNames", { enum: ["r", "b"], enumNames: ["Red"] }, ["Red", "b"], "b"],
    [
      "oneOf",
      {
        oneOf: [
          { const: "r", title: "Red" },
          { const: "b", title: "Blue" },
        ],
      },
      ["Red", "Blue"],
      "b",
    ],
  ])(
    "a form with a single choice by %s is a question with its options",
    async (_, members, labels, value) => {
      const { reply, views } = await form(
        { type: "object", properties: { k: { type: "string", ...members } } },
        items({ selected: ["q1_o2"] }),
      );
      expect(views[0]?.questions[0]?.options.map(({ label }) => label)).toEqual(labels);
      expect(views[0]?.questions[0]).toMatchObject({ own_text: false, multi_select: false });
      expect(reply).toEqual(accepted({ k: value }));
    },
  );

  test("a form with several choices has their bounds, and the default is recommended", async () => {
    const anyOf = ["a", "b", "c"].map((value) => ({
      const: value,
      title: value.toUpperCase(),
      description: `is ${value}`,
    }));
    const property = { type: "array", items: { anyOf }, minItems: 1, maxItems: 2, default: ["b"] };
    const { reply, views } = await form(
      { type: "object", properties: { k: property }, required: ["k"] },
      items({ selected: ["q1_o1", "q1_o3"] }),
    );
    expect(views[0]?.questions[0]).toMatchObject({
      multi_select: true,
      min: 1,
      max: 2,
      options: [{ label: "A", description: "is a" }, { label: "B", recommended: true }, { label: "C" }],
    });
    expect(reply).toEqual(accepted({ k: ["a", "c"] }));
  });

  test("a form shows title and description of each property, and what is common above the first", async () => {
    const properties = {
      db: { type: "string", title: "DB", description: "Which database?" },
      n: { type: "integer", title: "How many?" },
    };
    const { views } = await form({ type: "object", title: "Set-up", description: "For CI", properties });
    expect(views[0]?.questions).toMatchObject([
      { question: "Which database?", header: "DB", body: "Set-up\n\nFor CI\n\nTell me" },
      { question: "How many?" },
    ]);
  });

  test("a form with own words beside choices is one question (Claude, JetBrains)", async () => {
    const preview = { "_claude/askUserQuestionOption": { preview: "db.sqlite" } };
    const properties = {
      question_0: {
        type: "string",
        title: "DB",
        description: "Which?",
        oneOf: [
          { const: "SQLite", title: "SQLite", _meta: preview },
          { const: "PG", title: "PG" },
        ],
      },
      question_0_custom: { type: "string", title: "Other", description: "Your own" },
      question_1: { type: "array", description: "Targets?", items: { enum: ["linux", "mac, arm"] } },
      question_1_custom: { type: "string", title: "Other" },
    };
    const { reply, views } = await form(
      { type: "object", properties },
      items({ selected: ["q1_o1"], note: "keep it small" }, { selected: ["q2_o2"], own_text: "bsd" }),
    );
    expect(views[0]?.questions).toMatchObject([
      {
        header: "DB",
        own_text: true,
        other_label: "Other",
        other_description: "Your own",
        options: [{ preview: "db.sqlite" }, {}],
      },
      { own_text: true, multi_select: true },
    ]);
    expect(reply).toMatchObject(
      accepted({
        question_0: "SQLite",
        question_0_custom: "keep it small",
        question_1: ["mac, arm"],
        question_1_custom: "bsd",
      }),
    );
  });

  test("a form with own words instead of a choice leaves the choice out, or names none of them (Codex)", async () => {
    const oneOf = ["A", "B", "None of the above"].map((value) => ({ const: value, title: value }));
    const properties = {
      x: { type: "string", oneOf },
      x_note: { type: "string" },
      y: { type: "string", enum: ["1", "2"] },
      y_custom: { type: "string" },
    };
    const schema = { type: "object", properties, required: ["x", "x_note"] };
    const { reply } = await form(schema, items({ own_text: "mine" }, { own_text: "three" }));
    expect(reply).toEqual(accepted({ x: "None of the above", x_note: "mine", y_custom: "three" }));
    expect((await form(schema, items({ selected: ["q1_o1"] }, { selected: ["q2_o1"] }))).reply).toEqual(
      accepted({ x: "A", x_note: "", y: "1" }),
    );
  });

  test("a form without properties is agreed to or not", async () => {
    expect((await form({}, items({ selected: ["q1_o1"] }))).reply).toEqual(accepted({}));
    expect((await form({}, items({ selected: ["q1_o2"] }))).reply).toMatchObject({
      result: { action: "decline" },
    });
  });

  test("a form whose answer does not fit the schema is asked again, with the mistake, and only as far as it does not fit", async () => {
    const properties = {
      at: { type: "string", format: "date-time" },
      code: { type: "string", pattern: "^(?=.*\\d)[a-z0-9]+$" },
      name: { type: "string" },
    };
    const { reply, views } = await form(
      { type: "object", properties, required: ["at", "code", "name"] },
      items({ own_text: "tomorrow" }, { own_text: "abc" }, { own_text: "Ada" }),
      items({ own_text: "2026-03-01T09:30:00+01:00" }, { own_text: "abc1" }),
    );
    expect(views[1]?.questions.map(({ body }) => body)).toEqual([
      expect.stringContaining("The answer did not fit: expected a time such as 2026-03-01T09:30:00Z."),
      expect.stringContaining("The answer did not fit: expected a text that matches the pattern"),
    ]);
    expect(reply).toEqual(accepted({ at: "2026-03-01T09:30:00+01:00", code: "abc1", name: "Ada" }));
  });

  test("a form with a pattern for its last character takes one beyond U+FFFF", async () => {
    const property = { type: "string", pattern: "(?!x)[^a-z]$" };
    const { reply, views } = await form(
      { type: "object", properties: { k: property }, required: ["k"] },
      items({ own_text: "tools" }),
      items({ own_text: "tools 🛠" }),
    );
    expect(views).toHaveLength(2);
    expect(reply).toEqual(accepted({ k: "tools 🛠" }));
  });

  test("a form with a pattern that never ends holds nobody up: the answer does not fit", async () => {
    const property = { type: "string", pattern: "^(?=a)(a+)+$" };
    const { reply } = await form(
      { type: "object", properties: { k: property }, required: ["k"] },
      items({ own_text: `${"a".repeat(40)}!` }),
      items({ own_text: "aaa" }),
    );
    expect(reply).toEqual(accepted({ k: "aaa" }));
  });

  test("Codex' adapter has the question for the title: a person reads it as the question, and its tag as the tag", async () => {
    const property = {
      ...{ type: "string", title: "Which database?", description: "DB", enum: ["SQLite", "PostgreSQL"] },
      _meta: { codex: { isOther: false, isSecret: false } },
    };
    const { views } = await form(
      { type: "object", properties: { k: property }, required: ["k"] },
      items({ selected: ["q1_o1"] }),
    );
    expect(views[0]?.questions[0]).toMatchObject({ question: "Which database?", header: "DB" });
  });

  test("a form that is declined or given up to talk is a decline, with the person's words", async () => {
    const schema = { type: "object", properties: { k: { type: "string" } } };
    expect((await form(schema, "declined")).reply).toMatchObject({ result: { action: "decline" } });
    expect((await form(schema, { declined: "discuss", note: "why?" })).reply).toEqual({
      result: {
        action: "decline",
        _meta: {
          "askwire.dev/outcome": { status: "declined", reason: "discuss", by: "human", note: "why?" },
        },
      },
    });
  });

  test.each([
    ["a type that nobody knows", { k: { type: "color" } }, "is of the type"],
    ["a secret", { k: { type: "string", _meta: { codex: { isSecret: true } } } }, "is a secret"],
    [
      "bounds that contradict each other",
      { k: { type: "integer", minimum: 5, maximum: 1 } },
      "a bound that max",
    ],
    ["a pattern that is none", { k: { type: "string", pattern: "(" } }, "a regular expression"],
    ["no choices", { k: { type: "string", enum: [] } }, "has no choices"],
    [
      "more choices wanted than there are",
      { k: { type: "array", items: { enum: ["a"] }, minItems: 2 } },
      "choices",
    ],
  ])("a form with %s is declined with the reason, and the person is told", async (_, properties, reason) => {
    const { reply, views } = await form({ type: "object", properties });
    expect(reply).toEqual({
      result: { action: "decline", _meta: { "askwire.dev/reason": expect.stringContaining(reason) } },
    });
    expect(views).toEqual([]);
    expect(agent.told("Notification")).toMatchObject([{ body: expect.stringContaining(reason) }]);
  });

  test("a form of a mode that nobody knows is cancelled", async () => {
    expect(await agent.act("request", "elicitation/create", { mode: "_voice", message: "?" })).toMatchObject({
      result: { action: "cancel" },
    });
  });
});
