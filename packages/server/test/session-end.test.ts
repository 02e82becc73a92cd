import { linkedPair } from "@askwire/protocol/testing";
import { expect, test } from "vitest";
import { deferred } from "../../../scripts/deferred.js";
import { createServer, keepIn, type ServerOptions, type Session } from "../src/index.js";
import { drivenClock } from "./driven-clock.js";
import { detailedLog, temporaryFolder } from "./journal-folder.js";
import { rawClient } from "./raw-client.js";
import { keptLog, scenario } from "./scenario.js";

/** Keeps sessions on a disk that writes only on command. */
function slowDisk() {
  const keep = keepIn({ share: temporaryFolder(), workDir: "/work", log: detailedLog() });
  const { promise: gate, resolve: letGo } = deferred();
  const slow: ServerOptions["keep"] = (id) => {
    const { journal, history } = keep(id);
    const flush = async () => {
      await gate;
      await journal.flush();
    };
    return { journal: { ...journal, flush }, history };
  };
  return { keep: slow, letGo };
}

test("a session that closes while a turn is being written answers its prompt first (P-TRN-2, P-JRN-12)", async () => {
  const { keep, letGo } = slowDisk();
  const { meet, server } = scenario(["text: a"], { keep });
  const { client } = await meet();
  const { prompt: turn } = await client.begin("TurnEnd");
  const closed = server.close();
  await client.settled();
  letGo();
  expect((await turn).result).toEqual({ status: "finished" });
  await closed;
  expect(client.isClosed).toBe(true);
});

test("a session that closes leaves the server, and a client that comes too late is closed with it (P-CLO-2, P-SES-3)", async () => {
  const { meet, connect, server } = scenario([]);
  const session = server.createSession({ stay: true });
  const { client } = await meet({ session });
  const { client: late } = connect({ session });
  await session.close();
  expect(client.isClosed).toBe(true);
  expect(server.sessions.size).toBe(0);
  await late.call("initialize", { protocol_version: "1.10" });
  await new Promise((resolve) => setImmediate(resolve));
  expect(late.isClosed).toBe(true);
});

test("a session whose client is gone in a turn leaves no timer behind (P-SES-3)", async () => {
  const clock = drivenClock();
  const { meet, server } = scenario([], {
    clock,
    run: ({ signal }) =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
  });
  const { client, closed } = await meet();
  await client.begin("TurnBegin");
  client.close();
  await closed;
  expect(server.sessions.size).toBe(0);
  expect(clock.waiting).toBe(0);
});

test("a session whose agent cannot be made is given back (P-JRN-7)", async () => {
  const id = "11111111-1111-4111-8111-111111111111";
  const log = keptLog();
  const keep = keepIn({ share: temporaryFolder(), workDir: "/work", log });
  let broken = true;
  const server = createServer({
    log,
    keep,
    agent: () => {
      if (broken) throw new Error("no agent today");
      return { run: async () => {} };
    },
  });
  const { left, right } = linkedPair();
  expect(() => server.connect(left, { sessionId: id })).toThrow("no agent today");
  await new Promise((resolve) => setImmediate(resolve));
  broken = false;
  server.connect(left, { sessionId: id });
  const client = rawClient(right);
  expect((await client.call("prompt", { user_input: "go" })).result).toEqual({ status: "finished" });
  await server.close();
});

test("a session that no server made is refused with where one comes from", () => {
  const { server } = scenario([]);
  const copy: Session = { ...server.createSession() };
  expect(() => server.connect(linkedPair().left, { session: copy })).toThrow(
    "session: expected one that a server of this package made: see createSession",
  );
});

test("a close that is given up ends the connections of agents that do not end (P-CLO-2)", async () => {
  const { meet, server } = scenario([], { run: () => new Promise(() => {}) });
  const { client } = await meet();
  await client.begin("TurnBegin");
  const giveUp = new AbortController();
  const closed = server.close({ signal: giveUp.signal });
  await client.settled();
  expect(client.isClosed).toBe(false);
  giveUp.abort(new Error("no longer"));
  await expect(closed).rejects.toThrow("no longer");
  await expect.poll(() => client.isClosed).toBe(true);
  await expect(server.close({ signl: giveUp.signal } as never)).rejects.toThrow('did you mean "signal"');
});
