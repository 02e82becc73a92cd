// Mistakes of a client's answer, in every dialect, and their results.
import { describe, expect, test } from "vitest";
import { meetExtended } from "../../server/test/extended/extended-client.js";
import { type Message, payload } from "../../server/test/raw-client.js";
import { scenario } from "../../server/test/scenario.js";
import { type Form, forms } from "./matrix-forms.js";
import { rows } from "./matrix-table.js";

const done = "text: done";

/** A model's question in a form, before a client, and the model's view of a right answer. */
async function asked(form: Form) {
  const set = scenario([form.ask("tc-1"), done], { dialects: [form.make()] });
  const session = set.server.createSession();
  const { client } = await meetExtended(set, { session }, { name: "one" });
  const prompt = client.call("prompt", { user_input: "go" });
  const request = await client.asked("QuestionRequest");
  const [item] = payload(request).questions as { id: string; options: { id: string }[] }[];
  const [red = "", blue = ""] = item?.options.map(({ id }) => id) ?? [];

  /** The answer was refused, nobody was told of it, and a right one counts as if it was the first. */
  async function stillOpen() {
    await client.settled();
    expect([session.pending.length, set.model.requests.length]).toEqual([1, 1]);
    expect([client.events("InteractionSettled"), client.events("ToolResult")]).toEqual([[], []]);
    const right = { items: [{ question_id: item?.id, selected: [blue] }] };
    expect((await client.answer(request, right)).error).toBeUndefined();
    expect((await prompt).result).toMatchObject({ status: "finished" });
    const { goesOn: _, is_error, ...read } = rows.answered.told[form.dialect];
    const reading = form.read(set.model.requests[1]?.messages ?? [], "tc-1");
    expect({ is_error, ...reading }).toEqual({ is_error, ...read });
  }
  return { ...set, session, client, prompt, request, id: item?.id ?? "", red, blue, stillOpen };
}
type Asked = Awaited<ReturnType<typeof asked>>;

const refused = ({ error }: Message) => ({
  code: error?.code,
  issues: ((error?.data ?? {}) as { issues?: { question_id: string; code: string }[] }).issues?.map(
    ({ question_id, code }) => `${question_id} ${code}`,
  ),
});

describe.each(forms)("an answer to a question of $name that is refused", (form) => {
  test.each<[string, (question: Asked) => object, string]>([
    ["an option that is not there", () => ({ selected: ["q9_o9"] }), "unknown_option"],
    ["a label instead of an id", () => ({ selected: ["Red"] }), "unknown_option"],
    ["blank own text", () => ({ selected: [], own_text: " \n" }), "blank"],
    ["nothing chosen and nothing said", () => ({ selected: [] }), "missing"],
    ["two options", ({ red, blue }) => ({ selected: [red, blue] }), "too_many"],
    ["an option and own text", ({ red }) => ({ selected: [red], own_text: "Green" }), "too_many"],
  ])(
    "an answer that does not fit is refused and its question stays open: %s (P-XAN-4)",
    async (_, said, code) => {
      const question = await asked(form);
      const items = [{ question_id: question.id, ...said(question) }];
      expect(refused(await question.client.answer(question.request, { items }))).toEqual({
        code: -32013,
        issues: [`${question.id} ${code}`],
      });
      await question.stillOpen();
    },
  );

  test("an answer without an item for its question, but with one for another, is refused and the question stays open (P-XAN-4)", async () => {
    const question = await asked(form);
    const { client, request, id, red } = question;
    expect(refused(await client.answer(request, { items: [] }))).toEqual({
      code: -32013,
      issues: [`${id} missing`],
    });
    const items = [
      { question_id: id, selected: [red] },
      { question_id: "q7", selected: [red] },
    ];
    expect(refused(await client.answer(request, { items }))).toEqual({
      code: -32013,
      issues: ["q7 unknown_question"],
    });
    await question.stillOpen();
  });

  test("an answer of a client of another session, or of one that was not sent the question, is refused and the question stays open (P-XAN-3)", async () => {
    const question = await asked(form);
    const { client: foreign } = await meetExtended(question, {}, { name: "foreign" });
    const { session } = question;
    const { client: blind } = await meetExtended(question, { session }, { name: "blind", question: false });
    const right = { items: [{ question_id: question.id, selected: [question.red] }] };
    expect(refused(await foreign.answer(question.request, right)).code).toBe(-32012);
    expect(refused(await blind.answer(question.request, right)).code).toBe(-32014);
    await question.stillOpen();
  });

  test("an answer to nothing is refused, and so is one to what is answered already, with how that ended (P-XAN-3)", async () => {
    const question = await asked(form);
    const { client, request, id, red } = question;
    const right = { items: [{ question_id: id, selected: [red] }] };
    const nothing = { id: "11111111-1111-4111-8111-111111111111" };
    expect(refused(await client.answer(nothing, right)).code).toBe(-32011);
    await question.stillOpen();
    const { error } = await client.answer(request, right);
    expect(error).toMatchObject({
      code: -32010,
      data: { outcome: { status: "answered", client: { name: "one" } } },
    });
  });
});

test.each(forms.filter(({ dialect }) => dialect === "kimi" || dialect === "klaude"))(
  "an answer to one of two questions of $name names the other one, and both stay open (P-XAN-4)",
  async (form) => {
    const [one, two] = [form.ask("tc-1"), form.ask("tc-1", " else")].map((line) => {
      const call = JSON.parse(line.slice("tool_call: ".length));
      return { call, questions: JSON.parse(call.arguments).questions };
    });
    const both = JSON.stringify({ questions: [...(one?.questions ?? []), ...(two?.questions ?? [])] });
    const script = `tool_call: ${JSON.stringify({ ...one?.call, arguments: both })}`;
    const set = scenario([script, done], { dialects: [form.make()] });
    const { client, session } = await meetExtended(set);
    const prompt = client.call("prompt", { user_input: "go" });
    const request = await client.asked("QuestionRequest");
    const first = { question_id: "q1", selected: ["q1_o1"] };
    for (const [items, issue] of [
      [[first], "q2 missing"],
      [[first, { question_id: "q2", selected: ["q1_o1"] }], "q2 unknown_option"],
      [[first, { question_id: "q2", selected: [], own_text: "\t" }], "q2 blank"],
    ] as const) {
      expect(refused(await client.answer(request, { items }))).toEqual({ code: -32013, issues: [issue] });
    }
    expect([session.pending.length, set.model.requests.length]).toEqual([1, 1]);
    const items = [first, { question_id: "q2", selected: ["q2_o2"] }];
    expect((await client.answer(request, { items })).error).toBeUndefined();
    await prompt;
    const told = form.read(set.model.requests[1]?.messages ?? [], "tc-1")?.output;
    expect(told).toMatch(/Which colour\?.*Red.*Which colour else\?.*Blue/s);
  },
);
