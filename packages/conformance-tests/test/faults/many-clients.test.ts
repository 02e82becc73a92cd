import type { ClientSession } from "@askwire/client";
import { connectWebSocket } from "@askwire/client/websocket";
import { createServer } from "@askwire/server";
import { listenWebSocket } from "@askwire/server/websocket";
import { expect, onTestFinished, test } from "vitest";
import { modelAgent, scriptedModel } from "../../../agent/src/index.js";
import { askUserQuestion } from "../../../dialects/src/index.js";
import { faultPlan } from "./fault.js";
import { faultyProxy } from "./proxy.js";

const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const questions = [{ question: "Who are you?", options: [{ label: "Nobody" }, { label: "Somebody" }] }];
const call = { id: "tc-1", name: "AskUserQuestion", arguments: JSON.stringify({ questions }) };
const scripts = [`tool_call: ${JSON.stringify(call)}`, "text: Good."];

/** The time in which a busy machine lets a crowd come back, and a test end. */
const BUSY_MS = 600_000;

/** A server whose limits let so many in, and the address that makes a session. */
async function roomyServer(many: number) {
  const server = createServer({
    agent: () => modelAgent({ model: scriptedModel(scripts), tools: [askUserQuestion] }),
    maxSessions: many + 1,
    log: quiet,
  });
  // Cut connections may be counted a moment longer than they are there.
  const gateway = await listenWebSocket(server, { maxConnections: 2 * many, graceMs: BUSY_MS });
  onTestFinished(async () => {
    await gateway.close();
    await server.close();
  });
  const address = new URL(gateway.address(server.createSession()).replace(/\/wire\/[^#]*/, "/wire"));
  return { server, address };
}

/** A person for each client who answers with the client's name once all have been asked. */
function patientCrowd(address: URL, many: number) {
  let answerAll: () => void = () => {};
  const mayAnswer = new Promise<void>((resolve) => (answerAll = resolve));
  let allAsked: () => void = () => {};
  const asked = new Promise<void>((resolve) => (allAsked = resolve));
  const times = new Map<string, number>();

  const connect = (name: string) =>
    connectWebSocket(address.href, {
      handlers: {
        async question({ questions: [question] }) {
          times.set(name, (times.get(name) ?? 0) + 1);
          if (times.size === many) allAsked();
          await mayAnswer;
          return { items: [{ question_id: question?.id ?? "", selected: [], own_text: name }] };
        },
      },
    });

  return { connect, asked, answerAll: () => answerAll(), times };
}

/** Opens so many at once: the kernel's queue of new connections is not much longer. */
const AT_ONCE = 100;

async function inGroups<T>(names: readonly string[], open: (name: string) => Promise<T>): Promise<T[]> {
  const opened: T[] = [];
  while (opened.length < names.length) {
    const group = names.slice(opened.length, opened.length + AT_ONCE);
    opened.push(...(await Promise.all(group.map(open))));
  }
  return opened;
}

/** The text of the only tool result of a turn, which has ended. */
async function toolOutput(turn: ReturnType<ClientSession["prompt"]>): Promise<unknown> {
  let output: unknown;
  for await (const event of turn) {
    if (event.type === "ToolResult") output = event.payload.return_value.output;
  }
  expect(await turn.result).toEqual({ status: "finished" });
  return output;
}

const namesOf = (many: number) => Array.from({ length: many }, (_, n) => `client ${n}`);
const outputsOf = (names: readonly string[]) =>
  names.map((name) => `{"answers": {"Who are you?": "${name}"}}`);

test("300 clients, each with a session and an open question of its own, are all answered, each its own (P-SES-5, P-XAN-2)", {
  timeout: BUSY_MS,
}, async () => {
  const names = namesOf(300);
  const { server, address } = await roomyServer(names.length);
  const { connect, asked, answerAll, times } = patientCrowd(address, names.length);
  const clients = await inGroups(names, connect);
  expect(new Set(clients.map(({ id }) => id)).size).toBe(names.length);

  const outputs = clients.map((client) => toolOutput(client.prompt("go")));
  await asked;
  const listed = await clients[0]?.listSessions();
  expect(listed?.filter(({ state }) => state === "waiting")).toHaveLength(names.length);

  answerAll();
  expect(await Promise.all(outputs)).toEqual(outputsOf(names));
  expect([...times.values()].filter((count) => count !== 1)).toEqual([]);
  expect([...server.sessions.values()].filter(({ running }) => running)).toEqual([]);
  await Promise.all(clients.map((client) => client.close()));
});

test("120 clients that are all cut off with an open question come back by themselves, and each answer counts once (P-XAT-5, P-XCL-2)", {
  timeout: BUSY_MS,
}, async () => {
  const names = namesOf(120);
  const { address } = await roomyServer(names.length);
  const proxy = await faultyProxy(Number(address.port), faultPlan());
  onTestFinished(() => proxy.close());
  address.port = String(proxy.port);
  const { connect, asked, answerAll, times } = patientCrowd(address, names.length);
  const clients = await inGroups(names, connect);
  const outputs = clients.map((client) => toolOutput(client.prompt("go")));
  await asked;

  proxy.cutAll();
  // All connections are lost when the answers are given.
  answerAll();
  expect(await Promise.all(outputs)).toEqual(outputsOf(names));
  expect([...times.values()].filter((count) => count !== 1)).toEqual([]);
  await Promise.all(clients.map((client) => client.close()));
});
