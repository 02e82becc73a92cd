import type { QuestionInput } from "@askwire/protocol";
import { generateText, jsonSchema, type ModelMessage, stepCountIs, tool } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { describe, expect, test } from "vitest";
import { until } from "../../server/test/until.js";
import { aiSdkApproval, aiSdkApprovalMessage, aiSdkAsk } from "../src/ai-sdk.js";
import { people, waiting } from "./people.js";

type Step = string | { readonly id: string; readonly name: string; readonly input: object }[];

/** A model that calls these tools, step by step, and keeps what it was sent. */
function model(...steps: Step[]) {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  let nth = 0;
  return new MockLanguageModelV3({
    async doGenerate() {
      const step = steps[nth++] ?? "Done.";
      const calls = typeof step === "string" ? [] : step;
      return {
        content:
          typeof step === "string"
            ? [{ type: "text" as const, text: step }]
            : calls.map(({ id, name, input }) => ({
                type: "tool-call" as const,
                toolCallId: id,
                toolName: name,
                input: JSON.stringify(input),
              })),
        finishReason: {
          unified: calls.length > 0 ? ("tool-calls" as const) : ("stop" as const),
          raw: undefined,
        },
        usage,
        warnings: [],
      };
    },
  });
}

const colour = { question: "Which colour?", options: [{ label: "Red" }, { label: "Blue" }] };
const asks = [{ id: "c1", name: "ask_user", input: { questions: [colour] } }];
const run = "conversation-1";

const questionsSchema = jsonSchema<{ questions: QuestionInput[] }>({
  type: "object",
  properties: { questions: { type: "array" } },
});

const toldTo = (asked: MockLanguageModelV3, call = 1) =>
  JSON.stringify(asked.doGenerateCalls[call]?.prompt.filter(({ role }) => role === "tool"));

describe("a tool of the AI SDK with which a model asks (aiSdkAsk)", () => {
  async function ask(handlers: Parameters<typeof people>[0], signal?: AbortSignal) {
    const { session, open } = await people(handlers);
    const asked = model(asks);
    const ask_user = tool({ inputSchema: questionsSchema, execute: aiSdkAsk(session, { run }) });
    const settings = { model: asked, prompt: "Paint it", tools: { ask_user }, stopWhen: stepCountIs(5) };
    const done = generateText({ ...settings, ...(signal && { abortSignal: signal }) });
    return { done, asked, open };
  }

  test("a model reads the person's answer and their note", async () => {
    const item = { question_id: "q1", selected: ["q1_o2"], note: "a dark one" };
    const { done, asked } = await ask({ question: () => ({ items: [item] }) });
    await done;
    expect(toldTo(asked)).toContain(
      '"answers":{"Which colour?":"Blue"},"notes":{"Which colour?":"a dark one"}',
    );
  });

  test("a model reads that the person declined as a result, and not as an error", async () => {
    const { done, asked } = await ask({ question: () => "declined" });
    await done;
    expect(toldTo(asked)).toContain("Do not ask it again");
    expect(toldTo(asked)).not.toContain('"error-text"');
  });

  test("a model reads that nobody is there", async () => {
    const { done, asked } = await ask(undefined);
    await done;
    expect(toldTo(asked)).toContain("The question was not asked: no client is connected.");
  });

  test("a question is taken back when its run is aborted", async () => {
    const cancelled = new AbortController();
    const { done, open } = await ask(waiting, cancelled.signal);
    const ended = done.then(undefined, (error) => error.name);
    await until(() => open() === 1);
    cancelled.abort();
    await until(() => open() === 0);
    expect(await ended).toBe("AbortError");
  });
});

/** A tool that needs an approval, and keeps the calls that were carried out. */
function deploying() {
  const ran: unknown[] = [];
  const deploy = tool({
    inputSchema: jsonSchema<{ build: number }>({ type: "object" }),
    needsApproval: true,
    execute: async (input) => {
      ran.push(input);
      return "deployed";
    },
  });
  return { ran, tools: { deploy } };
}

const deploys = (...builds: number[]) =>
  builds.map((build) => ({ id: `d${build}`, name: "deploy", input: { build } }));

describe("approvals of AI SDK 6 in two calls (aiSdkApprovalMessage)", () => {
  test("calls of one step are put to the person at once, and each runs or is refused as they decided", async () => {
    const shown: unknown[] = [];
    const { session } = await people({
      approval: ({ action, display }) => {
        shown.push(action);
        const second = JSON.stringify(display).includes("43");
        return second ? { response: "reject", feedback: "not on a Friday" } : "approve";
      },
    });
    const asked = model(deploys(42, 43));
    const { ran, tools } = deploying();
    const messages: ModelMessage[] = [{ role: "user", content: "Deploy" }];
    const settings = { model: asked, tools, stopWhen: stepCountIs(5) };
    const first = await generateText({ ...settings, messages });
    expect([first.finishReason, ran]).toEqual(["tool-calls", []]);
    messages.push(...first.response.messages);
    // A restart: all that is left is JSON.
    const kept: ModelMessage[] = JSON.parse(JSON.stringify(messages));
    const decided = await aiSdkApprovalMessage(session, kept, { run });
    expect(decided?.content).toHaveLength(2);
    kept.push(decided as ModelMessage);
    const last = await generateText({ ...settings, messages: kept });
    expect(last.text).toBe("Done.");
    expect(shown).toEqual(["deploy", "deploy"]);
    expect(ran).toEqual([{ build: 42 }]);
    expect(toldTo(asked)).toContain("do what they said: not on a Friday");
    expect(await aiSdkApprovalMessage(session, kept, { run })).toBeUndefined();
  });

  test("a decision is found again after a restart, and the same call of another conversation is asked anew", async () => {
    let times = 0;
    const { session, another } = await people({
      approval: () => {
        times += 1;
        return "approve";
      },
    });
    const { tools } = deploying();
    const messages: ModelMessage[] = [{ role: "user", content: "Deploy" }];
    const first = await generateText({ model: model(deploys(42)), tools, messages });
    messages.push(...first.response.messages);
    await aiSdkApprovalMessage(session, messages, { run });
    await aiSdkApprovalMessage(await another(), messages, { run });
    expect(times).toBe(1);
    await aiSdkApprovalMessage(session, messages, { run: "conversation-2" });
    expect(times).toBe(2);
  });

  test("nothing is decided where the program gave up meanwhile, and the request is taken back", async () => {
    const { session, open } = await people(waiting);
    const { tools } = deploying();
    const messages: ModelMessage[] = [{ role: "user", content: "Deploy" }];
    const first = await generateText({ model: model(deploys(42)), tools, messages });
    messages.push(...first.response.messages);
    const cancelled = new AbortController();
    const decided = aiSdkApprovalMessage(session, messages, { run, signal: cancelled.signal });
    await until(() => open() === 1);
    cancelled.abort(new Error("enough"));
    await expect(decided).rejects.toThrow("enough");
    expect(open()).toBe(0);
  });

  test("a request whose call is not among the messages is an error that says what to give", async () => {
    const { session } = await people(waiting);
    const content = [{ type: "tool-approval-request", approvalId: "a", toolCallId: "c" }];
    await expect(aiSdkApprovalMessage(session, [{ role: "assistant", content }], { run })).rejects.toThrow(
      "give the whole conversation",
    );
  });
});

describe("an approval that waits, as AI SDK 7 calls it (aiSdkApproval)", () => {
  const toolCall = { toolCallId: "d42", toolName: "deploy", input: { build: 42 } };

  test("a call is approved only by a person's yes, and any other end denies it in words for the model", async () => {
    const yes = aiSdkApproval((await people({ approval: () => "approve" })).session, { run });
    expect(await yes({ toolCall })).toEqual({ type: "approved" });
    const no = aiSdkApproval((await people({ approval: () => "reject" })).session, { run });
    expect(await no({ toolCall })).toEqual({
      type: "denied",
      reason: expect.stringContaining("The user rejected this call"),
    });
    const nobody = aiSdkApproval((await people()).session, { run });
    expect(await nobody({ toolCall })).toEqual({
      type: "denied",
      reason: expect.stringContaining("nothing was done"),
    });
  });

  test("calls that need no approval run unasked, and a call that is changed by the person is no option", async () => {
    const { session } = await people(waiting);
    const only = aiSdkApproval(session, { run, only: ({ name }) => name !== "deploy" });
    expect(await only({ toolCall })).toBeUndefined();
    const edited = () => ({ action: "deploy", description: "Deploy", edit: { content: "x" } });
    await expect(aiSdkApproval(session, { run, approval: edited })({ toolCall })).rejects.toThrow(
      "leave `edit` out",
    );
  });

  test("an option that is not known is refused with the one that was probably meant", async () => {
    const { session } = await people(waiting);
    expect(() => aiSdkApproval(session, { run, onyl: () => true } as never)).toThrow('did you mean "only"?');
    expect(() => aiSdkApproval(session, {} as never)).toThrow("aiSdkApproval: run: expected a string");
  });
});
