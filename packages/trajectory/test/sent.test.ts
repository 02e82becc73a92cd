import { kimi } from "@askwire/dialects";
import { defineTool } from "@askwire/server";
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { modelAgent } from "../../agent/src/index.js";
import { endpointModel } from "../../agent/test/endpoint-model.js";
import {
  calls,
  type ModelAnswer,
  type ModelCall,
  modelEndpoint,
  says,
  stops,
  streams,
  thinks,
} from "../../agent/test/model-endpoint.js";
import { colour } from "../../server/test/scenario.js";
import { formatLine, readRecordedSession, sessionExamples } from "../src/index.js";
import type { Line } from "./examples.js";
import { id, keptSession } from "./kept-session.js";

const question = JSON.stringify({ questions: [colour] });
/** The provider's answers, in the order of the requests. `inner` is the sub-agent's. */
const answers = {
  thinks: streams(
    thinks("Which colour?"),
    says("I ask."),
    calls(0, "a-1", "AskUserQuestion", question),
    stops("tool_calls"),
  ),
  delegates: streams(
    calls(0, "s-1", "Agent", "{}"),
    calls(1, "l-1", "Look", '{"at": "a"}'),
    stops("tool_calls"),
  ),
  inner: streams(says("inner words"), stops()),
  ends: streams(thinks("Done?"), says("Painted."), stops()),
  more: streams(says("Nothing."), stops()),
  summary: streams(says("It was painted red."), stops()),
  after: streams(says("Red."), stops()),
} satisfies Record<string, ModelAnswer>;

const look = defineTool({
  name: "Look",
  description: "Looks.",
  parameters: z.object({ at: z.string(), near: z.optional(z.int()) }),
  run: ({ at }) => `saw ${at}`,
});

/** Holds a session with thoughts, a steer, a sub-agent and a compaction, and returns its journal and all requests. */
async function held() {
  const endpoint = await modelEndpoint(Object.values(answers));
  const model = endpointModel(endpoint.url);
  const delegate = defineTool({
    name: "Agent",
    description: "Delegates.",
    parameters: z.object({}),
    async run(_, { subagent }) {
      const agent = modelAgent({ model, system: "You are the inner one." });
      return (await subagent({ agent, type: "coder", input: "do it" })).text;
    },
  });
  const { meet, server, file } = keptSession([], {
    model,
    tools: [delegate, look],
    dialects: [kimi()],
    agentOptions: {
      system: "Be brief.",
      commands: (conversation) => [
        { name: "compact", description: "", run: async (turn) => void (await conversation.compact(turn)) },
      ],
    },
  });
  const { client } = await meet({ sessionId: id });
  const prompt = client.call("prompt", { user_input: "paint" });
  const asked = await client.seen("QuestionRequest");
  await client.call("steer", { user_input: "quickly" });
  client.reply(asked, { request_id: asked.id, answers: { "Which colour?": "Red" } });
  await prompt;
  for (const user_input of ["and?", "/compact", "which?"]) await client.call("prompt", { user_input });
  await server.close();
  const named = Object.keys(answers).map((name, index) => [name, endpoint.calls[index]] as const);
  return { file, requests: Object.fromEntries(named) as Record<keyof typeof answers, ModelCall> };
}

/** A message as the provider was sent it, in the words of an example: thoughts in the content, arguments parsed. */
function asExample({ role, content, reasoning_content, tool_calls, tool_call_id }: Line): Line {
  const text = Array.isArray(content) ? content.map((part: Line) => part.text).join("\n") : (content ?? "");
  const thoughts = reasoning_content ? `<think>${reasoning_content}</think>\n` : "";
  return {
    role,
    content: `${thoughts}${text}`,
    ...(tool_call_id !== undefined && { tool_call_id }),
    ...(tool_calls !== undefined && {
      tool_calls: tool_calls.map(({ id, function: { name, arguments: args } }: Line) => [
        id,
        name,
        JSON.parse(args),
      ]),
    }),
  };
}

test("an export has what a provider was sent and said at each step, through thoughts, a steer, a sub-agent and a compaction (P-TRJ-10)", async () => {
  const { file, requests } = await held();
  const read = await readRecordedSession(file, id);
  if (typeof read === "string") throw new Error(read);
  const { examples, without, bare } = sessionExamples(read, "step");
  expect([without, bare]).toEqual([[], 0]);
  const lines: Line[] = examples.map((example) => formatLine("openai", example));
  const { thinks, delegates, ends, more, after } = requests;
  const sent = [thinks, delegates, ends, more, after].map(({ body }) => ({
    messages: body.messages.map(asExample),
    tools: body.tools,
  }));
  expect(
    lines.map(({ messages, tools }) => ({ messages: messages.slice(0, -1).map(asExample), tools })),
  ).toEqual(sent);
  const said = lines.map(({ messages }) => messages.at(-1));
  expect(said.map(({ content, tool_calls = [] }) => [content, tool_calls.length])).toEqual([
    ["<think>Which colour?</think>\nI ask.", 1],
    ["", 2],
    ["<think>Done?</think>\nPainted.", 0],
    ["Nothing.", 0],
    ["Red.", 0],
  ]);
  expect(sent.map(({ messages }) => messages.length)).toEqual([2, 5, 8, 10, 5]);
  expect(JSON.stringify(lines)).not.toContain("You are the inner one.");
});

test("an export by turns learns each message of the provider once, and none of a sub-agent's or a compaction's (P-TRJ-10)", async () => {
  const { file } = await held();
  const read = await readRecordedSession(file, id);
  if (typeof read === "string") throw new Error(read);
  const lines: Line[] = sessionExamples(read, "turn").examples.map((example) =>
    formatLine("openai", example),
  );
  const learned = lines.map(({ messages }) =>
    messages.filter(({ weight }: Line) => weight === 1).map(({ content }: Line) => content),
  );
  expect(learned).toEqual([
    ["<think>Which colour?</think>\nI ask.", "", "<think>Done?</think>\nPainted."],
    ["Nothing."],
    ["Red."],
  ]);
});
