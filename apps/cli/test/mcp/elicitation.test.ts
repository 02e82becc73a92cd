import { describe, expect, test } from "vitest";
import { wantTable } from "../../../../packages/relays/test/mcp/mapping-table.js";
import { vectors } from "../../../../scripts/vectors.js";
import { readQuestions } from "../../src/ask/questions.js";
import type { Result } from "../../src/mcp/asking.js";
import { afterForm, type FormStep, type HostReply, hostForm, NOBODY_MS } from "../../src/mcp/through-host.js";
import { formRows } from "./form-rows.js";
import { colour, gatewayOf, type HostForm, newHome, personAt, sdks, startHost } from "./hosts.js";

interface LeftOut {
  readonly question: { readonly own_text?: boolean };
  readonly said: { readonly selected?: readonly string[]; readonly skipped?: boolean };
  readonly then: "answered" | "left_out" | "refused";
  readonly property?: object;
  readonly content?: unknown;
}

const ASK = "ask_user_question";
const args = ["--via", "elicitation"];
const first = { since: 0, tries: 0 };
/** The step after the reply to a first form, after so many milliseconds. */
const step = (questions: ReturnType<typeof asked>, reply: HostReply, tookMs: number): FormStep =>
  afterForm(questions, reply, first, tookMs);
const ended = (found: FormStep): Partial<Result> => ("result" in found ? found.result : {});
const asked = (question: object) =>
  readQuestions(JSON.stringify({ questions: [{ question: "Which?", ...question }] }), "test");

describe("the host's form", () => {
  test.each(formRows)(
    "$askwire becomes $mcp in the host's form, and its value is read back",
    ({ question, property, content, item }) => {
      const questions = asked(question);
      expect(hostForm(questions, "me", first).requestedSchema.properties.q1).toMatchObject(property);
      const reply = { action: "accept", content: { ...content } };
      const { outcome, items } = ended(step(questions, reply, NOBODY_MS));
      expect(outcome?.status).toBe(item.skipped === true ? "declined" : "answered");
      if (item.skipped !== true) expect(items).toEqual([{ question_id: "q1", ...item }]);
    },
  );

  test.each(
    vectors<LeftOut>("askwire-draft/left-out.json").filter(
      ({ content, said, property }) => property !== undefined && (content ?? said.skipped) !== undefined,
    ),
  )(
    "absent, empty and valid values in a form are read as the vector says: $name (P-XFL-5)",
    ({ question, said, content, then }) => {
      const { own_text: _ownText, ...first } = question;
      const both = { questions: [first, { question: "Else?" }] };
      const questions = readQuestions(JSON.stringify(both), "test");
      const many = Array.isArray(content) ? said.selected : said.selected?.[0];
      const given = { ...(content !== undefined && { q1: many ?? content }), q2: "x" };
      const found = step(questions, { action: "accept", content: given }, NOBODY_MS);
      const { items = [] } = ended(found);
      if (then === "refused") expect(found).toHaveProperty("again");
      else if (then === "left_out")
        expect(items[0]).toEqual({ question_id: "q1", selected: [], skipped: true });
      else expect(items[0]).toEqual({ question_id: "q1", selected: [], ...said });
    },
  );

  test("docs/mcp-mapping.md has every row of the mapping (vitest -u writes them)", async () => {
    const rows = formRows.map(({ askwire, mcp, lost }) => [askwire, mcp, lost]);
    await wantTable(["Askwire", "MCP", "lost"], rows);
  });

  test.each([
    ["an option that was not offered", { options: [{ label: "Red" }] }, { q1: "q1_o9" }],
    ["a number out of its bounds", { field: { type: "integer", bounds: { max: 9 } } }, { q1: 10 }],
    ["a text that does not match its pattern", { field: { type: "text", pattern: "^v" } }, { q1: "x" }],
    ["a value of another type", { field: { type: "date" } }, { q1: "soon" }],
    ["an object as a text", { field: { type: "text" } }, { q1: {} }],
    ["a list as own words", { options: [{ label: "Red" }] }, { q1_own: ["Green"] }],
    ["an object beside no choice", { options: [] }, { q1: { a: 1 } }],
  ])(
    "%s in a form is asked again with the mistake, and at the gateway after three times",
    (_, question, content) => {
      const both = { questions: [{ question: "Which?", ...question }, { question: "Else?" }] };
      const questions = readQuestions(JSON.stringify(both), "test");
      const reply = { action: "accept", content: { ...content, q2: "kept" } };
      const found = afterForm(questions, reply, first, 5);
      if (!("again" in found)) throw new Error("expected the form again");
      expect(found.again).toMatchObject({ since: 5, tries: 1, before: { q2: "kept" } });
      const { message, requestedSchema } = hostForm(questions, "me", found.again);
      expect(message).toBe(`me asks again, since this did not fit: ${found.again.mistake}`);
      expect(message).toContain('"Which?": ');
      expect(requestedSchema.properties.q2).toMatchObject({ default: "kept" });
      expect(requestedSchema.properties.q1).not.toHaveProperty("default");
      const last = afterForm(questions, reply, { ...found.again, tries: 2 }, 9);
      expect(last).toEqual({ elsewhere: expect.stringContaining("asked where Askwire is open") });
    },
  );

  test("the answer to a yes-no question in a form notes that a box does not tell no from nothing", () => {
    const reply = { action: "accept", content: { q1: false } };
    const { lost = [] } = ended(step(asked({ field: { type: "boolean" } }), reply, NOBODY_MS));
    expect(lost.join()).toContain("no and not answered look alike");
  });

  test.each(["cancel", "decline", "accept"])(
    "%s without a value, faster than a person reads, is nobody's word, and a later one is a person's",
    (action) => {
      for (const quick of [0, NOBODY_MS - 1, Number.NaN])
        expect(step(asked({}), { action }, quick)).toEqual({
          elsewhere: expect.stringContaining("nobody was asked there"),
        });
      expect(ended(step(asked({}), { action }, NOBODY_MS)).outcome).toMatchObject({
        status: "declined",
        reason: "dismissed",
        by: "human",
      });
    },
  );
});

describe.each(sdks)("askwire mcp --via elicitation under the official client %s", (sdk) => {
  test("askwire mcp --via elicitation asks in the host's form and names what is lost there", async () => {
    const home = await newHome();
    let shown: HostForm | undefined;
    const form = (params: HostForm) => {
      shown = params;
      return { action: "accept" as const, content: { q1: "q1_o2", q2: 7 } };
    };
    const host = await startHost(home, { sdk, args, form });
    const count = { question: "How many?", field: { type: "integer" } };
    const { structuredContent, content } = await host.call(ASK, { questions: [colour, count] });
    expect(shown?.message).toContain("test-host");
    expect(Object.keys(shown?.requestedSchema.properties ?? {})).toEqual(["q1", "q1_own", "q2"]);
    expect(structuredContent).toMatchObject({
      outcome: { status: "answered", by: "human" },
      answers: { "Which colour?": "Blue", "How many?": "7" },
      lost: [expect.stringContaining("do not outlive the call")],
    });
    expect(content[0]?.text).toContain("do not outlive the call");
    expect(gatewayOf(home)).toBeUndefined();
  });

  test("a value that does not fit is asked again in the host's form with the mistake", async () => {
    const messages: string[] = [];
    const form = ({ message }: HostForm) => {
      messages.push(message);
      return { action: "accept" as const, content: { q1: messages.length === 1 ? "x" : "v2" } };
    };
    const host = await startHost(await newHome(), { sdk, args, form });
    const tag = { question: "Which tag?", field: { type: "text", pattern: "^v" } };
    const { structuredContent } = await host.call(ASK, { questions: [tag] });
    expect(structuredContent).toMatchObject({ answers: { "Which tag?": "v2" } });
    expect(messages).toHaveLength(2);
    expect(messages[1]).toContain("this did not fit");
  });

  test("the instant cancel of a host without a person asks at the gateway, and the host is told so", async () => {
    const home = await newHome();
    const host = await startHost(home, { sdk, args, form: () => ({ action: "cancel" }) });
    const called = host.call(ASK, { questions: [colour] });
    const person = await personAt(home);
    (await person.asked()).answer("Red");
    expect((await called).structuredContent).toMatchObject({
      answers: { "Which colour?": "Red" },
      lost: [expect.stringContaining("nobody was asked there")],
    });
  });
});

test("the questions of a host whose form fails are asked at the gateway, with the failure", async () => {
  const home = await newHome();
  const form = () => {
    throw new Error("no window");
  };
  const host = await startHost(home, { args, form });
  const called = host.call(ASK, { questions: [colour] });
  const person = await personAt(home);
  (await person.asked()).answer("Red");
  expect((await called).structuredContent).toMatchObject({
    answers: { "Which colour?": "Red" },
    lost: [expect.stringContaining("no window")],
  });
});

test("the questions of a host that shows no forms are asked at the gateway, and the host is told so", async () => {
  const home = await newHome();
  const host = await startHost(home, { args });
  const called = host.call(ASK, { questions: [colour] });
  const person = await personAt(home);
  (await person.asked()).answer("Red");
  expect((await called).structuredContent).toMatchObject({
    answers: { "Which colour?": "Red" },
    lost: [expect.stringContaining("does not show forms")],
  });
});
