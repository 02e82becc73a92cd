import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { aiSdkApproval, aiSdkApprovalMessage, aiSdkAsk } from "@askwire/adapters/ai-sdk";
import { generateText, stepCountIs, streamText, tool } from "ai";
import * as z from "zod";
import { provider } from "./provider.mjs";
import { allBut43, room, until, waiting } from "./room.mjs";

const run = "conversation-1";
const deploys = (/** @type {number[]} */ ...builds) =>
  builds.map((build) => ({ id: `d${build}`, name: "deploy", input: { build } }));

/** The settings of a run with a tool that deploys, and the builds that it deployed. */
function deploying(/** @type {string} */ baseURL) {
  /** @type {number[]} */
  const ran = [];
  const deploy = tool({
    inputSchema: z.object({ build: z.number() }),
    execute: async ({ build }) => {
      ran.push(build);
      return `deployed ${build}`;
    },
  });
  const model = createOpenAICompatible({ name: "scripted", baseURL })("scripted");
  return { ran, settings: { model, tools: { deploy }, stopWhen: stepCountIs(5) } };
}

describe("approvals of AI SDK 7", () => {
  test("a call waits for the person, runs or is denied as they decided, and the model reads why", async (t) => {
    const { program } = await room(t, allBut43());
    const model = await provider(t, deploys(42, 43));
    const { ran, settings } = deploying(model.url);
    const toolApproval = aiSdkApproval(await program(), { run });
    const { text } = await generateText({ ...settings, toolApproval, prompt: "Deploy" });
    assert.deepEqual([text, ran], ["Done.", [42]]);
    assert.match(model.read(1).join("\n"), /do what they said: too late/);
  });

  test("a call that nobody can approve does not run", async (t) => {
    const { program } = await room(t);
    const model = await provider(t, deploys(42));
    const { ran, settings } = deploying(model.url);
    const toolApproval = aiSdkApproval(await program(), { run });
    await generateText({ ...settings, toolApproval, prompt: "Deploy" });
    assert.deepEqual(ran, []);
    assert.match(model.read(1)[0], /nothing was done/);
  });

  test("a call does not run where the session of the program is closed", async (t) => {
    const { program } = await room(t, waiting);
    const model = await provider(t, deploys(42));
    const { ran, settings } = deploying(model.url);
    const session = await program();
    await session.close();
    await generateText({
      ...settings,
      toolApproval: aiSdkApproval(session, { run }),
      prompt: "Deploy",
    }).catch(() => {});
    assert.deepEqual(ran, []);
  });

  test("an approval is taken back by its own signal, since an aborted stream does not tell it", async (t) => {
    const { program, open } = await room(t, waiting);
    const model = await provider(t, deploys(42));
    const { ran, settings } = deploying(model.url);
    const stop = new AbortController();
    const toolApproval = aiSdkApproval(await program(), { run, signal: stop.signal });
    const { fullStream } = streamText({
      ...settings,
      toolApproval,
      prompt: "Deploy",
      abortSignal: stop.signal,
    });
    const read = (async () => {
      for await (const _ of fullStream);
    })();
    await until(() => open() === 1);
    stop.abort();
    await until(() => open() === 0);
    await read.catch(() => {});
    assert.deepEqual(ran, []);
  });

  test("calls with `user-approval` are answered in a second call, from messages that were kept as JSON", async (t) => {
    const { program } = await room(t, {
      approval: ({ display }) => (JSON.stringify(display).includes("43") ? "reject" : "approve"),
    });
    const model = await provider(t, deploys(42, 43));
    const { ran, settings } = deploying(model.url);
    const twoCalls = { ...settings, toolApproval: /** @type {const} */ ({ deploy: "user-approval" }) };
    const first = await generateText({ ...twoCalls, prompt: "Deploy" });
    const messages = JSON.parse(
      JSON.stringify([{ role: "user", content: "Deploy" }, ...first.response.messages]),
    );
    messages.push(await aiSdkApprovalMessage(await program(), messages, { run }));
    const { text } = await generateText({ ...twoCalls, messages });
    assert.deepEqual([text, ran], ["Done.", [42]]);
    assert.match(model.read(1).join("\n"), /The user rejected this call/);
  });
});

describe("a tool of AI SDK 7 with which a model asks", () => {
  const Questions = z.object({
    questions: z.array(z.object({ question: z.string(), options: z.array(z.object({ label: z.string() })) })),
  });
  const colour = { question: "Which colour?", options: [{ label: "Red" }, { label: "Blue" }] };
  const asks = [{ id: "q", name: "ask_user", input: { questions: [colour] } }];

  test("the model reads the answer, and the words where the person declined, never an error", async (t) => {
    for (const [answer, told] of [
      [{ items: [{ question_id: "q1", selected: ["q1_o2"] }] }, /"Which colour\?":"Blue"/],
      ["declined", /"message":"The user closed the question/],
    ]) {
      const { program } = await room(t, { question: () => /** @type {any} */ (answer) });
      const model = await provider(t, asks);
      const ask_user = tool({ inputSchema: Questions, execute: aiSdkAsk(await program(), { run }) });
      const { settings } = deploying(model.url);
      await generateText({ ...settings, tools: { ask_user }, prompt: "Paint" });
      assert.match(model.read(1)[0], /** @type {RegExp} */ (told));
      assert.doesNotMatch(model.read(1)[0], /^Error/);
    }
  });

  test("a time limit of a step takes its question back", async (t) => {
    const { program, open } = await room(t, waiting);
    const model = await provider(t, asks);
    const ask_user = tool({ inputSchema: Questions, execute: aiSdkAsk(await program(), { run }) });
    const { settings } = deploying(model.url);
    const ended = generateText({
      ...settings,
      tools: { ask_user },
      prompt: "Paint",
      timeout: { stepMs: 1_500 },
    });
    ended.catch(() => {});
    await until(() => open() === 1);
    await until(() => open() === 0);
    await assert.rejects(Promise.resolve(ended));
  });
});
