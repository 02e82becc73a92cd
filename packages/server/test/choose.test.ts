import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { type Agent, type Choice, type Chosen, choose, defineTool } from "../src/index.js";
import { drivenClock } from "./driven-clock.js";
import { lastState, meetAsked } from "./extended/extended-client.js";
import { payload } from "./raw-client.js";
import { callLine, scenario } from "./scenario.js";
import { until } from "./until.js";

const proceed = {
  question: "Delete the volume?",
  options: [
    { id: "yes", label: "Yes, proceed", description: "It is gone for good" },
    { id: "no", label: "No, cancel" },
  ],
} as const satisfies Choice<string>;

/** A server whose agent lets a person choose, and ends with what came of it. */
function choosing(choice: Choice<string> = proceed, options: Parameters<typeof scenario>[1] = {}) {
  const made: { chosen?: Chosen<string>; error?: unknown } = {};
  const run: Agent["run"] = async () => {
    try {
      made.chosen = await choose(choice);
    } catch (error) {
      made.error = error;
    }
  };
  return { ...scenario([], { run, ...options }), made };
}

/** The result of a base client's answer. */
async function answered(value: string) {
  const { meet, made } = choosing();
  const { client } = await meet();
  const { prompt, asked } = await client.begin("QuestionRequest");
  client.reply(asked, { request_id: asked.id, answers: { [proceed.question]: value } });
  await prompt;
  return made.chosen;
}

describe("a choice", () => {
  test("a choice is a closed question by id, and ends with the id of the option (P-QST-4)", async () => {
    const set = choosing({ ...proceed, header: "Shell", body: "`rm -r data`" });
    const { client, prompt, asked } = await meetAsked("QuestionRequest", set);
    expect(payload(asked)).toMatchObject({
      tool_call_id: "",
      questions: [
        {
          question: "Delete the volume?",
          header: "Shell",
          body: "`rm -r data`",
          own_text: false,
          options: [
            { id: "yes", label: "Yes, proceed", description: "It is gone for good" },
            { id: "no", label: "No, cancel" },
          ],
        },
      ],
    });
    await client.answer(asked, { items: [{ question_id: "q1", selected: ["no"] }] });
    await prompt;
    expect(set.made.chosen).toMatchObject({ chosen: "no", outcome: { status: "answered", by: "human" } });
  });

  test("a choice is made by its label on the base wire (P-ANS-2)", async () => {
    expect(await answered("Yes, proceed")).toMatchObject({ chosen: "yes" });
  });

  test.each(["don't proceed", "Yes", "yes, proceed", "Yes, proceed, but not now", "yes"])(
    "a choice is not made by own words, whatever they contain: %s (P-ANS-4)",
    async (words) => {
      expect(await answered(words)).toMatchObject({
        chosen: undefined,
        outcome: { status: "declined", reason: "discuss", note: words },
      });
    },
  );

  test("a choice has no result where the person closes it, or a client answers something else", async () => {
    expect(await answered("")).toMatchObject({
      chosen: undefined,
      outcome: { status: "declined", reason: "dismissed" },
    });
    const { meet, made } = choosing();
    const { client } = await meet();
    const { prompt, asked } = await client.begin("QuestionRequest");
    client.reply(asked, { request_id: asked.id, answers: { "Something else?": "yes" } });
    await prompt;
    expect(made.chosen).toMatchObject({ chosen: undefined, outcome: { status: "answered" } });
  });

  test("a choice belongs to the tool call in which it is asked", async () => {
    const told: unknown[] = [];
    const tool = defineTool({
      name: "Delete",
      description: "deletes",
      parameters: z.object({}),
      async run() {
        const { chosen } = await choose(proceed);
        told.push(chosen);
        return chosen === "yes" ? "deleted" : "kept";
      },
    });
    const { meet } = scenario([callLine("Delete", {}, "call_9"), "text: done"], { tools: [tool] });
    const { client } = await meet();
    const { prompt, asked } = await client.begin("QuestionRequest");
    expect(payload(asked).tool_call_id).toBe("call_9");
    client.reply(asked, { request_id: asked.id, answers: { [proceed.question]: "No, cancel" } });
    await prompt;
    expect(told).toEqual(["no"]);
  });

  test("a choice ends at once where nobody can be asked, with the outcome (P-ATT-1, P-ATT-3)", async () => {
    const plain = choosing();
    await (await plain.meet({}, {})).client.call("prompt", { user_input: "go" });
    const away = choosing(proceed, { attendance: "decline" });
    await (await away.meet()).client.call("prompt", { user_input: "go" });
    expect([plain.made.chosen, away.made.chosen]).toMatchObject([
      { chosen: undefined, outcome: { status: "unavailable", reason: "unsupported" } },
      { chosen: undefined, outcome: { status: "unavailable", reason: "unattended", by: "policy" } },
    ]);
  });

  test("a choice expires without a result at its deadline (P-XDL-1)", async () => {
    const clock = drivenClock();
    const deadline = { ms: 1_000, on_expiry: "cancel" } as const;
    const set = choosing({ ...proceed, deadline }, { clock });
    const { prompt } = await meetAsked("QuestionRequest", set);
    clock.advance(1_000);
    await prompt;
    expect(set.made.chosen).toMatchObject({ chosen: undefined, outcome: { status: "expired" } });
  });

  test("a choice is taken back by its signal, and its card goes", async () => {
    const over = new AbortController();
    const set = choosing({ ...proceed, signal: over.signal });
    const { client, prompt } = await meetAsked("QuestionRequest", set);
    const reason = new Error("no longer needed");
    over.abort(reason);
    await prompt;
    expect(set.made).toEqual({ error: reason });
    expect(client.events("InteractionSettled")[0]?.payload.outcome).toMatchObject({
      status: "withdrawn",
      reason: "agent",
    });
    expect(lastState(client)?.pending).toEqual([]);

    const late = choosing({ ...proceed, signal: over.signal });
    const { client: other } = await late.meet();
    await other.call("prompt", { user_input: "go" });
    expect(late.made).toEqual({ error: reason });
    expect(other.received.filter(({ method }) => method === "request")).toEqual([]);
  });

  test("a choice is withdrawn with its turn (P-OUT-5)", async () => {
    const set = choosing();
    const { client } = await set.meet();
    const { prompt } = await client.begin("QuestionRequest");
    await client.call("cancel");
    await prompt;
    await until(() => set.made.error !== undefined);
    expect(set.made.error).toMatchObject({ name: "AbortError", outcome: { reason: "interrupted" } });
  });

  test.each<[string, Choice<string>["options"], RegExp]>([
    ["no options", [], /^options: expected one at least, with labels that differ$/],
    ["equal labels", [proceed.options[0], { id: "other", label: "Yes, proceed" }], /labels that differ$/],
    ["equal ids", [proceed.options[0], { id: "yes", label: "Yes" }], /id that no other option/],
  ])("a choice with %s is refused before anybody is asked (P-XQS-1)", async (_, options, problem) => {
    const { meet, made } = choosing({ ...proceed, options });
    const { client } = await meet();
    await client.call("prompt", { user_input: "go" });
    expect(made.error).toBeInstanceOf(TypeError);
    expect((made.error as Error).message).toMatch(problem);
    expect(client.received.filter(({ method }) => method === "request")).toEqual([]);
  });
});
