import { defineTool, type History, type Message, type Model, type SlashCommand } from "@askwire/server";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { dialects } from "../../dialects/src/index.js";
import { asksUser, redcScenario } from "../../dialects/test/redc-scene.js";
import { payload, type RawClient } from "../../server/test/raw-client.js";
import { asks, callLine, scenario } from "../../server/test/scenario.js";
import type { ModelConversation } from "../src/index.js";

const look = defineTool({
  name: "Look",
  description: "looks",
  parameters: z.looseObject({}),
  run: ({ at }) => `seen ${at}`,
});
const looks = (at: number, tokens = 100) =>
  `${callLine("Look", { at }, `l-${at}`)}\nusage: input_other=${tokens} output=1`;
const model = { maxContextTokens: 1_000 };

const compactCommand = ({ compact }: ModelConversation): SlashCommand[] => [
  { name: "compact", description: "Compacts", run: async (turn) => void (await compact(turn)) },
];
const agentOptions = { commands: compactCommand };

/** A person's long answer, with characters that a careless cut would break. */
const answer = `${"方案二：先迁移只读副本。\n".repeat(900)}🦆 last word`;

async function answers(client: RawClient, n = 1, text = answer): Promise<void> {
  const asked = await client.seen("QuestionRequest", n);
  const [item] = payload(asked).questions as { question: string }[];
  client.reply(asked, { request_id: asked.id, answers: { [item?.question ?? ""]: text } });
}

/** Misfits for a provider: a call without a result right after it, or a result without a call. */
function misfits(messages: readonly Message[]): string[] {
  let open: string[] = [];
  const wrong: string[] = [];
  for (const message of messages) {
    if (message.role === "tool") {
      if (!open.includes(message.tool_call_id))
        wrong.push(`a result without a call: ${message.tool_call_id}`);
      open = open.filter((id) => id !== message.tool_call_id);
      continue;
    }
    wrong.push(...open.map((id) => `no result: ${id}`));
    open = message.role === "assistant" ? message.tool_calls.map(({ id }) => id) : [];
    if (message.role === "assistant" && message.content.length + open.length === 0)
      wrong.push("says nothing");
  }
  return [...wrong, ...open.map((id) => `no result: ${id}`)];
}

/** Messages in words: who says it, with the ids of calls and the beginning of texts. */
const story = (messages: readonly Message[] = []) =>
  messages.map((message) => {
    if (message.role === "tool") return `tool ${message.tool_call_id}`;
    if (message.role === "assistant") return `calls ${message.tool_calls.map(({ id }) => id)}`;
    return typeof message.content === "string" ? message.content.slice(0, 40) : "parts";
  });

const summary = (text: string) => `What happened before:\n\n${text}`;

test("an answer is intact after ten more tools and three compactions, for every provider (P-DIA-8)", async () => {
  const first = `think: hm\ntext: Let me ask.\n${callLine("Look", { at: 0 }, "l-0")}\n${asksUser(undefined, "q-1")}`;
  const scripts = [
    first,
    ...[1, 2, 3].map((at) => looks(at)),
    looks(4, 900),
    "text: one",
    ...[5, 6, 7].map((at) => looks(at)),
    looks(8, 900),
    "text: two",
    ...[9, 10].map((at) => looks(at)),
    "text: done",
    "text: three",
    "text: on",
  ];
  const set = redcScenario(scripts, { tools: [look], model, agentOptions });
  const { client } = await set.meet();
  const prompt = client.call("prompt", { user_input: "go" });
  await answers(client);
  await prompt;
  await client.call("prompt", { user_input: "/compact" });
  await client.call("prompt", { user_input: "go on" });
  expect(client.story().filter((word) => word === "CompactionBegin")).toHaveLength(3);

  const { requests } = set.model;
  expect(requests.flatMap(({ messages }) => misfits(messages))).toEqual([]);
  const [afterOne, afterTwo] = ["one", "two"].map((text) =>
    requests.find(({ messages }) => messages[0]?.role === "user" && messages[0].content === summary(text)),
  );
  expect(story(afterOne?.messages)).toEqual([
    summary("one"),
    "calls q-1",
    "tool q-1",
    "calls l-4",
    "tool l-4",
  ]);
  expect(story(afterTwo?.messages)).toEqual([
    summary("two"),
    "calls q-1",
    "tool q-1",
    "calls l-8",
    "tool l-8",
  ]);
  const last = requests.at(-1)?.messages ?? [];
  expect(story(last)).toEqual([summary("three"), "calls q-1", "tool q-1", "go on"]);
  expect(last[1]).toMatchObject({ content: [], tool_calls: [{ function: { name: "ask_user" } }] });
  expect(last[2]).toMatchObject({ result: { output: answer } });
});

test("each answer stays, in its order, and continues into the next process (P-DIA-8)", async () => {
  let kept: readonly Message[] = [];
  const history: History = {
    load: () => kept,
    append: (messages) => {
      kept = [...kept, ...messages];
    },
    replace: (messages) => {
      kept = [...messages];
    },
  };
  const scripts = [
    asksUser(undefined, "q-1"),
    looks(1),
    asksUser({ question: "Sure?" }, "q-2"),
    "text: done",
    "text: s",
  ];
  const options = { tools: [look], agentOptions: { ...agentOptions, history } };
  const { client } = await redcScenario(scripts, options).meet();
  const prompt = client.call("prompt", { user_input: "go" });
  await answers(client, 1, "Singapore");
  await answers(client, 2, "Yes");
  await prompt;
  await client.call("prompt", { user_input: "/compact" });
  expect(story(kept)).toEqual([summary("s"), "calls q-1", "tool q-1", "calls q-2", "tool q-2"]);

  const next = redcScenario(["text: t", "text: done"], options);
  const { client: later } = await next.meet();
  await later.call("prompt", { user_input: "/compact" });
  await later.call("prompt", { user_input: "and now?" });
  expect(story(next.model.requests[1]?.messages)).toEqual([
    summary("t"),
    "calls q-1",
    "tool q-1",
    "calls q-2",
    "tool q-2",
    "and now?",
  ]);
  expect(next.model.requests[1]?.messages[4]).toMatchObject({ result: { output: "Yes" } });
});

test("a step with several calls of one id keeps only the question's, with its own result (P-DIA-8)", async () => {
  const step = `${callLine("Look", { at: 1 }, "same")}\n${asks(undefined, "same")}`;
  const set = scenario([step, "text: done", "text: s", "text: on"], { tools: [look], agentOptions });
  const { client } = await set.meet();
  const prompt = client.call("prompt", { user_input: "go" });
  await answers(client, 1, "Red");
  await prompt;
  await client.call("prompt", { user_input: "/compact" });
  await client.call("prompt", { user_input: "go on" });
  const last = set.model.requests.at(-1)?.messages;
  expect(story(last)).toEqual([summary("s"), "calls same", "tool same", "go on"]);
  expect(last?.[1]).toMatchObject({ tool_calls: [{ function: { name: "AskUserQuestion" } }] });
  expect(last?.[2]).toMatchObject({ result: { output: '{"answers": {"Which colour?": "Red"}}' } });
});

describe("a question that was asked in the model's text", () => {
  const written =
    "<ask_followup_question><question>Which region?</question><follow_up><suggest>Singapore</suggest></follow_up></ask_followup_question>";
  const asking = `think: hm\ntext: Let me ask. ${written}`;
  const dialect = dialects["kilo-xml"]();

  async function compacted(scripts: string[], more: Partial<Model> = {}) {
    const set = scenario(scripts, { dialects: [dialect], tools: [look], model: more, agentOptions });
    const { client } = await set.meet();
    const prompt = client.call("prompt", { user_input: "go" });
    await answers(client);
    await prompt;
    return { set, client };
  }
  const wantsBoth = (messages: readonly Message[] = [], at: number) => {
    expect(messages[at]).toEqual({
      role: "assistant",
      content: [{ type: "text", text: `Let me ask. ${written}` }],
      tool_calls: [],
    });
    expect(JSON.stringify(messages[at + 1])).toContain(JSON.stringify(answer).slice(1, -1));
    expect(messages[at + 1]?.role).toBe("user");
  };

  test("a question in the model's text stays with what the model read of the answer, after a second compaction too (P-DIA-8)", async () => {
    const { set, client } = await compacted([
      asking,
      looks(1),
      "text: done",
      "text: s",
      "text: t",
      "text: on",
    ]);
    await client.call("prompt", { user_input: "/compact" });
    await client.call("prompt", { user_input: "/compact" });
    await client.call("prompt", { user_input: "go on" });
    const last = set.model.requests.at(-1)?.messages;
    expect(last).toHaveLength(4);
    expect(story(last)[0]).toBe(summary("t"));
    wantsBoth(last, 1);
  });

  test("a question in the model's text stays also where its answer is the last that was said (P-CMP-1)", async () => {
    const { set } = await compacted(
      [`${asking}\nusage: input_other=900 output=1`, "text: s", "text: done"],
      model,
    );
    const last = set.model.requests.at(-1)?.messages;
    expect(last).toHaveLength(3);
    wantsBoth(last, 1);
  });
});

test("a conversation that answers fill is not compacted at every step, and is again once it has grown (P-CMP-3)", async () => {
  const scripts = [
    `${asksUser(undefined, "q-1")}\nusage: input_other=900 output=1`,
    "text: one",
    ...[900, 910, 920, 930, 940, 950].map((tokens, at) => looks(at, tokens)),
    looks(7, 960),
    "text: two",
    looks(8, 900),
    "text: done",
  ];
  const set = redcScenario(scripts, { tools: [look], model });
  const { client } = await set.meet();
  const prompt = client.call("prompt", { user_input: "go" });
  await answers(client);
  expect((await prompt).result).toEqual({ status: "finished" });
  const words = client.story().filter((word) => ["CompactionBegin", "StepBegin"].includes(word));
  const steps = (count: number) => Array.from({ length: count }, () => "StepBegin");
  expect(words).toEqual([...steps(2), "CompactionBegin", ...steps(7), "CompactionBegin", ...steps(1)]);
});
