import type { QuestionReply } from "@askwire/client";
import { connectWebSocket, type WebSocketConnectOptions } from "@askwire/client/websocket";
import { createServer, type ServerOptions } from "@askwire/server";
import { type ListenOptions, listenWebSocket } from "@askwire/server/websocket";
import { expect, onTestFinished, test } from "vitest";
import { modelAgent, scriptedModel } from "../../agent/src/index.js";
import { askUserQuestion } from "../../dialects/src/index.js";

const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const questions = [{ question: "Which colour?", options: [{ label: "Red" }, { label: "Blue" }] }];
const asks = `tool_call: ${JSON.stringify({ id: "tc-1", name: "AskUserQuestion", arguments: JSON.stringify({ questions }) })}`;

/** A session of an agent that asks, and what connects to it. */
async function gateway(listen: ListenOptions = {}, options: Partial<ServerOptions> = {}) {
  const agent = () => modelAgent({ model: scriptedModel([asks, "text: b"]), tools: [askUserQuestion] });
  const server = createServer({ agent, log: quiet, ...options });
  const door = await listenWebSocket(server, listen);
  onTestFinished(async () => {
    await door.close();
    await server.close();
  });
  const session = server.createSession({ stay: true });
  const address = door.address(session);
  return {
    server,
    door,
    session,
    address,
    join: (more: WebSocketConnectOptions = {}) => connectWebSocket(address, more),
  };
}

/** A person: sees the question, and answers when told to. */
function person() {
  let answer: (reply: QuestionReply) => void = () => {};
  let saw: (signal: AbortSignal) => void = () => {};
  const asked = new Promise<AbortSignal>((resolve) => (saw = resolve));
  return {
    asked,
    answer: (label: string) => answer({ answers: { "Which colour?": label } }),
    handlers: {
      question: (_request: unknown, { signal }: { signal: AbortSignal }) => {
        saw(signal);
        return new Promise<QuestionReply>((resolve) => (answer = resolve));
      },
    },
  };
}

const outputs = async (turn: AsyncIterable<{ type: string }>) => {
  const all: unknown[] = [];
  for await (const event of turn) {
    if (event.type === "ToolResult")
      all.push((event as never as { payload: { return_value: object } }).payload.return_value);
  }
  return all;
};

test("two people are asked; the first answer counts, and the other's question is taken away (P-CLI-1)", async () => {
  const { join } = await gateway();
  const [ann, bob] = [person(), person()];
  const one = await join({ handlers: ann.handlers });
  await join({ handlers: bob.handlers });
  const turn = one.prompt("go");
  const [annSignal, bobSignal] = await Promise.all([ann.asked, bob.asked]);
  const taken = new Promise((resolve) => annSignal.addEventListener("abort", resolve));
  bob.answer("Blue");
  await taken;
  ann.answer("Red");
  expect(await outputs(turn)).toMatchObject([{ output: '{"answers": {"Which colour?": "Blue"}}' }]);
  expect(await turn.result).toEqual({ status: "finished" });
  expect(bobSignal.aborted).toBe(false);
});

test("a person whose client was lost comes back, is asked again, and the agent continues (P-INT-6)", async () => {
  const { join, session } = await gateway();
  const ann = person();
  const one = await join({ handlers: ann.handlers });
  const turn = one.prompt("go");
  turn.result.catch(() => {});
  const signal = await ann.asked;
  await one.close();
  expect(signal.aborted).toBe(true);
  const again = person();
  let ended: () => void = () => {};
  const end = new Promise<void>((resolve) => (ended = resolve));
  const handlers = {
    ...again.handlers,
    event: (event: { type: string }) => {
      if (event.type === "TurnEnd") ended();
    },
  };
  await join({ handlers });
  await again.asked;
  again.answer("Red");
  await end;
  expect(session.running).toBe(false);
});

test("an address without an id makes a session", async () => {
  const { server, address } = await gateway();
  const before = server.sessions.size;
  const session = await connectWebSocket(address.replace(/\/wire\/[^#]*/, "/wire"));
  expect(server.sessions.size).toBe(before + 1);
  await session.close();
});

test("the token may come apart from the address", async () => {
  const { address, door } = await gateway({ token: "22-characters-or_longer" });
  expect((await connectWebSocket(address)).server?.protocol_version).toBe("1.10");
  const bare = address.replace(/#.*/, "");
  expect((await connectWebSocket(bare, { token: door.token })).server?.protocol_version).toBe("1.10");
});

test.each<[string, (address: string) => string, string]>([
  [
    "a wrong token",
    (address) => `${address}x`,
    "the server refused the token: use the address that it printed, with what follows the #",
  ],
  [
    "no token",
    (address) => address.replace(/#.*/, ""),
    "the server refused the token: use the address that it printed, with what follows the #",
  ],
  [
    "an unknown session",
    (address) => address.replace(/\/wire\/[^#]*/, "/wire/gone"),
    "the server has no such session: use an address of its last start",
  ],
])("%s is reported in one line with the next step (P-CLI-4)", async (_, change, message) => {
  const { address } = await gateway();
  await expect(connectWebSocket(change(address))).rejects.toMatchObject({ code: "REFUSED", message });
});

test("a server that is full says so (P-SES-5)", async () => {
  const { join } = await gateway({ maxConnections: 1 });
  await join();
  await expect(join()).rejects.toMatchObject({
    code: "REFUSED",
    message: "the server takes no more connections: close one, or raise its limit",
  });
});

test("a server that stops ends the prompt of a client that does not reconnect with its code, and the question is taken away (P-SES-6)", async () => {
  const { join, door } = await gateway();
  const ann = person();
  const one = await join({ handlers: ann.handlers, reconnect: false });
  const turn = one.prompt("go");
  const failed = expect(turn.result).rejects.toMatchObject({
    code: "CLOSED",
    message:
      "the connection closed with code 1012: the server is stopping; connect again when it runs, to the address that it prints",
  });
  const signal = await ann.asked;
  await door.close();
  await failed;
  expect([signal.aborted, (await one.closed)?.message]).toEqual([
    true,
    "the connection closed with code 1012: the server is stopping; connect again when it runs, to the address that it prints",
  ]);
});
