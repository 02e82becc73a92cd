import { once } from "node:events";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import {
  createServer,
  keepIn,
  type ServerOptions,
  serveStdio,
  systemClock,
  wireSend,
} from "../../src/index.js";
import { temporaryFolder } from "../journal-folder.js";
import { keptLog } from "../scenario.js";
import { stdioClient } from "../stdio-client.js";
import { introduction, items, question } from "./extended-client.js";

/** A client of the extended profile on standard input and output, with a question open. */
async function asked(more: Partial<ServerOptions> = {}) {
  const request = question();
  async function run() {
    wireSend(request);
    await request.wait().catch(() => {});
  }
  const client = stdioClient({ agent: { run }, log: keptLog(), ...more });
  client.send({ jsonrpc: "2.0", id: "hello", method: "initialize", params: introduction() });
  client.send({ jsonrpc: "2.0", id: "go", method: "prompt", params: { user_input: "go", turn_id: "t" } });
  await client.until(() => client.events.includes("QuestionRequest"));
  client.send({ jsonrpc: "2.0", method: "received", params: { request_id: request.id } });
  return { client, request };
}

test("on stdio an extended client answers by the method, and there are no methods on sessions (P-XNG-4, P-XAN-2)", async () => {
  const { client, request } = await asked();
  const calls = { list_sessions: {}, create_session: {}, close_session: { session_id: client.session.id } };
  for (const [method, params] of Object.entries(calls)) client.send({ id: method, method, params });
  const params = { request_id: request.id, answer_id: "a", outcome: { status: "answered" }, items };
  client.send({ id: "answer", method: "answer", params });
  await client.until(() => client.responses.has("go"));
  expect(Object.keys(calls).map((method) => client.answerTo(method).error?.code)).toEqual([
    -32601, -32601, -32601,
  ]);
  expect(client.answerTo("answer").result).toMatchObject({ outcome: { status: "answered", by: "human" } });
  expect(client.answerTo("go").result).toEqual({ status: "finished" });
  await client.end();
});

test("the end of input settles what is open as client_lost, also for a client with an id (P-CLO-1, P-XAT-8)", async () => {
  const { client, request } = await asked();
  await client.end();
  expect(request.outcome).toMatchObject({ status: "unavailable", reason: "client_lost" });
  expect([client.session.running, client.session.pending.length]).toEqual([false, 0]);
});

test("the end of input withdraws what is open of a kept session that no process continues (P-CLO-1, P-CLO-2)", async () => {
  const place = { share: temporaryFolder(), workDir: "/", log: keptLog(), clock: systemClock };
  const { client, request } = await asked({ keep: keepIn(place) });
  await client.end();
  expect(request.outcome).toMatchObject({ status: "withdrawn", reason: "session_closed" });
});

test("a program may give the session its id", async () => {
  const server = createServer({ agent: { run: async () => {} }, log: keptLog() });
  const sessionId = "33333333-3333-4333-8333-333333333333";
  const [input, output] = [new PassThrough(), new PassThrough()];
  const served = serveStdio(server, { input, output, sessionId });
  input.write(
    `${JSON.stringify({ jsonrpc: "2.0", id: "1", method: "initialize", params: introduction() })}\n`,
  );
  const [line] = await once(output, "data");
  expect(JSON.parse(String(line)).result.session.id).toBe(sessionId);
  input.end();
  await served;
});

test("the session may be named by its id, and another is not there (P-XAT-2)", async () => {
  const client = stdioClient({ agent: { run: async () => {} }, log: keptLog() });
  const named = (id: string) => introduction({ session: { id } });
  client.send({ id: "1", method: "initialize", params: named("nothing") });
  client.send({ id: "2", method: "initialize", params: named(client.session.id) });
  await client.until(() => client.responses.has("2"));
  expect([-32011, -32012]).toContain(client.answerTo("1").error?.code);
  expect(client.answerTo("2").result).toMatchObject({ session: { id: client.session.id } });
  await client.end();
});
