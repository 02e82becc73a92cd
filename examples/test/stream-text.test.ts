import { fileURLToPath } from "node:url";
import { connectProcess } from "@askwire/client/stdio";
import { expect, test } from "vitest";
import { calls, modelEndpoint, says, stops, streams } from "../../packages/agent/test/model-endpoint.js";

const agent = fileURLToPath(new URL("../stream-text.mjs", import.meta.url));

type Handlers = NonNullable<NonNullable<Parameters<typeof connectProcess>[2]>["handlers"]>;

/** Runs the example against a provider that answers so, with a person who answers like this. */
async function conversation(answers: Parameters<typeof modelEndpoint>[0], handlers: Handlers) {
  const endpoint = await modelEndpoint(answers);
  const env = { ...process.env, OPENAI_BASE_URL: endpoint.url };
  const session = await connectProcess(process.execPath, [agent], { handlers, env });
  let said = "";
  const told: string[] = [];
  for await (const { type, payload } of session.prompt("go")) {
    told.push(type);
    if (type === "ContentPart" && payload.type === "text") said += payload.text;
  }
  await session.close();
  /** The results of its calls that the model read in the last request. */
  const { messages } = endpoint.calls.at(-1)?.body ?? { messages: [] };
  const results = (messages as { role: string; content: string }[]).flatMap(({ role, content }) =>
    role === "tool" ? [content] : [],
  );
  return { said, told, results, requests: endpoint.calls.length };
}

const asks = calls(0, "c1", "askUser", JSON.stringify({ question: "Which?", options: ["A", "B"] }));
const releases = calls(0, "c2", "release", JSON.stringify({ version: "2.0" }));
const callsAre = stops("tool_calls");

test("a loop of streamText asks and has a call approved, and the model reads both results", async () => {
  const { said, told, results } = await conversation(
    [streams(asks, callsAre), streams(releases, callsAre), streams(says("Done."), stops())],
    { question: () => ({ answers: { "Which?": "B" } }), approval: () => "approve" },
  );
  expect(results).toEqual(["B", "2.0 is out"]);
  expect(said).toBe("Done.");
  expect(told.filter((type) => type === "ToolCall" || type === "ToolResult")).toEqual([
    "ToolCall",
    "ToolResult",
    "ToolCall",
    "ToolResult",
  ]);
});

test("a loop of streamText tells the model what the person said to a call that they reject", async () => {
  const { results } = await conversation(
    [streams(releases, callsAre), streams(says("Not released."), stops())],
    { approval: () => ({ response: "reject", feedback: "wait for Ada" }) },
  );
  expect(results).toEqual([expect.stringContaining("do what they said: wait for Ada")]);
});

test("a loop of streamText ends after a rejection without words", async () => {
  const { requests, said } = await conversation([streams(releases, callsAre)], { approval: () => "reject" });
  expect([requests, said]).toEqual([1, ""]);
});

test("a loop of streamText whose client shows no questions has the model ask in plain text", async () => {
  const { results } = await conversation([streams(asks, callsAre), streams(says("A or B?"), stops())], {});
  expect(results).toEqual([expect.stringContaining("ask the user in plain text")]);
});

test("two calls of one step ask at once, and each has its own answer", async () => {
  const second = calls(1, "c2", "askUser", JSON.stringify({ question: "How?", options: ["X", "Y"] }));
  const { results } = await conversation([streams(asks, second, callsAre), streams(says("Done."), stops())], {
    question: ({ questions: [asked] }) => ({
      answers: { [asked?.question ?? ""]: asked?.options[1]?.label ?? "" },
    }),
  });
  expect(results).toEqual(["B", "Y"]);
});
