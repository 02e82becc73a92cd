import { Duplex, PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { ApprovalRequest, type PersonRequest, QuestionRequest, serveStdio, wireSend } from "../src/index.js";
import { asks, colour, scenario } from "./scenario.js";

const requests = (): PersonRequest[] => [
  new QuestionRequest({ tool_call_id: "tc", questions: [colour] }),
  new ApprovalRequest({ tool_call_id: "tc", sender: "Shell", action: "run", description: "ls" }),
];

/** An agent that waits for a question and an approval, and says how each wait ended. */
function waiting() {
  const asked = requests();
  const ends: unknown[] = [];
  const run = async () => {
    for (const request of asked) wireSend(request);
    const waits = asked.map((request) => request.wait().catch((error: Error) => error.name));
    ends.push(...(await Promise.all<unknown>(waits)));
  };
  return { asked, ends, run };
}

describe("every wait ends", () => {
  const withdrawn = (reason: string, by: string) => [
    { status: "withdrawn", reason, by },
    { status: "withdrawn", reason, by },
  ];

  test("every wait ends when the turn is cancelled (P-TRN-6)", async () => {
    const { asked, ends, run } = waiting();
    const { client } = await scenario([], { run }).meet();
    const { prompt } = await client.begin("ApprovalRequest");
    await client.call("cancel");
    expect((await prompt).result).toEqual({ status: "cancelled" });
    expect(asked.map(({ outcome }) => outcome)).toMatchObject(withdrawn("interrupted", "human"));
    expect(ends).toEqual(["AbortError", "AbortError"]);
  });

  test.each<["session_closed" | "shutdown", "session" | "server"]>([
    ["session_closed", "session"],
    ["shutdown", "server"],
  ])(
    "every wait ends as %s when the %s closes, before that resolves, and the client is released (P-CLO-2)",
    async (reason, what) => {
      const { asked, ends, run } = waiting();
      const set = scenario([], { run });
      const { client, session, closed } = await set.meet();
      await client.begin("ApprovalRequest");
      await (what === "session" ? session.close() : set.server.close());
      expect(asked.map(({ outcome }) => outcome)).toMatchObject(withdrawn(reason, "system"));
      expect([ends, session.running, session.pending.length]).toEqual([
        ["AbortError", "AbortError"],
        false,
        0,
      ]);
      await closed;
      expect(client.story()).toContain("TurnEnd");
      expect(set.server.sessions.size).toBe(0);
    },
  );

  test("every wait ends when an agent that ignores everything is shut down (P-CLO-2)", async () => {
    const set = scenario([], { run: () => new Promise<void>(() => {}) });
    const { client, session } = await set.meet();
    await client.begin("TurnBegin");
    await set.server.close();
    expect(session.running).toBe(false);
  });

  test("every wait ends when the only client is lost: first as lost, then the turn is cancelled, then the session is gone (P-CLO-1)", async () => {
    const { asked, ends, run } = waiting();
    const set = scenario([], { run });
    const { client, closed, session } = await set.meet();
    await client.begin("ApprovalRequest");
    client.close();
    await closed;
    expect(asked.map(({ outcome }) => outcome)).toMatchObject([
      { status: "unavailable", reason: "client_lost" },
      { status: "unavailable", reason: "client_lost" },
    ]);
    expect(ends).toEqual([
      "QuestionUnavailable",
      { response: "reject", feedback: expect.stringContaining("(client_lost)") },
    ]);
    expect([session.running, set.server.sessions.size]).toEqual([false, 0]);
  });
});

test("closing twice resolves only when the turn has ended, both times (P-CLO-2)", async () => {
  const { ends, run } = waiting();
  const { client, session } = await scenario([], { run }).meet();
  await client.begin("ApprovalRequest");
  void session.close();
  await session.close();
  expect([ends.length, session.running]).toEqual([2, false]);
});

test("a client that has not said anything yet is released too when the server closes", async () => {
  const set = scenario([]);
  const { closed } = set.connect();
  await set.server.close();
  await closed;
});

test("a prompt to a closed session fails, and does not hang", async () => {
  const set = scenario(["text: b"]);
  const session = set.server.createSession();
  await session.close();
  const { client } = set.connect({ session });
  expect((await client.call("prompt", { user_input: "go" })).error).toMatchObject({
    code: -32000,
    message: "the session is closed",
  });
});

test("a session of its own outlives its clients (P-SES-2)", async () => {
  const set = scenario(["text: b"]);
  const session = set.server.createSession();
  const { client, closed } = await set.meet({ session });
  client.close();
  await closed;
  expect(set.server.sessions.get(session.id)).toBe(session);
  const { client: next } = await set.meet({ session });
  expect((await next.call("prompt", { user_input: "go" })).result).toEqual({ status: "finished" });
});

test("over standard input and output, the end of input with an open question ends the service", async () => {
  const { server, model } = scenario([asks(), "text: never"]);
  const [input, output] = [new PassThrough(), new PassThrough()];
  const service = serveStdio(server, { input, output });
  const say = (message: object) => input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const params = { protocol_version: "1.10", capabilities: { supports_question: true } };
  say({ id: "1", method: "initialize", params });
  say({ id: "2", method: "prompt", params: { user_input: "go" } });
  let text = "";
  for await (const chunk of Duplex.from(output).setEncoding("utf8")) {
    text += chunk;
    if (text.includes("QuestionRequest")) input.end();
    if (text.includes("QuestionRequest")) break;
  }
  await service;
  expect([server.sessions.size, model.requests.length]).toEqual([0, 1]);
});
