import { join } from "node:path";
import { WireError } from "@askwire/protocol";
import { expect, test } from "vitest";
import { type AskwireServer, type Keep, type KeptSession, keepIn, sessionFolder } from "../src/index.js";
import { drivenClock } from "./driven-clock.js";
import { introduction } from "./extended/extended-client.js";
import { detailedLog, temporaryFolder, typesOf } from "./journal-folder.js";
import { asks, scenario } from "./scenario.js";
import { until } from "./until.js";

const id = "11111111-1111-4111-8111-111111111111";

/** Kept sessions whose kept part is opened when the test says so. */
function slowlyKept(scripts: readonly string[] = ["text: Hello."]) {
  const place = { share: temporaryFolder(), workDir: "/work" };
  const atOnce = keepIn({ ...place, log: detailedLog() });
  const openings: { id: string; open(): void; fail(error: Error): void }[] = [];
  const closed: string[] = [];
  const clock = drivenClock();
  const keep: Keep = (id) =>
    new Promise<KeptSession>((resolve, reject) => {
      const open = () => {
        const { journal, history } = atOnce(id);
        const close = () => {
          closed.push(id);
          return journal.close();
        };
        resolve({ journal: { ...journal, close }, history });
      };
      openings.push({ id, open, fail: reject });
    });
  const isKept = () => true;
  return {
    ...scenario(scripts, { keep, isKept, clock }),
    folder: join(sessionFolder({ ...place, id })),
    clock,
    openings,
    closed,
  };
}

test.each([
  ["is of its own", () => ({ sessionId: id })],
  ["is made when it speaks", (server: AskwireServer) => ({ session: () => server.openSession({ id }) })],
])(
  "messages of a client whose session %s are handled in their order once the session is open",
  async (_how, way) => {
    const { connect, openings, server, folder } = slowlyKept();
    const { client } = connect(way(server));
    void client.call("initialize", { protocol_version: "1.10", capabilities: { supports_question: true } });
    const prompt = client.call("prompt", { user_input: "go" });
    const mode = client.call("set_plan_mode", { enabled: true });
    await until(() => openings.length === 1);
    expect(client.received).toEqual([]);
    openings[0]?.open();
    expect((await prompt).result).toEqual({ status: "finished" });
    expect((await mode).result).toEqual({ status: "ok", plan_mode: true });
    const story = client.story();
    expect(story[0]).toBe("initialize: ok");
    expect(story).toContain("TurnBegin");
    await server.close();
    expect(typesOf(folder)).toContain("TurnEnded");
  },
);

test("a message that comes before any introduction waits for the session too", async () => {
  const { connect, openings } = slowlyKept();
  const { client } = connect({ sessionId: id });
  const prompt = client.call("prompt", { user_input: "go" });
  openings[0]?.open();
  expect((await prompt).result).toEqual({ status: "finished" });
});

test("two clients that open one kept session at once are in one session", async () => {
  const { connect, openings, server } = slowlyKept([asks()]);
  const there = { session: () => server.openSession() };
  const [one, other] = [connect(there).client, connect(there).client];
  const opens = introduction({ session: { id, open: true } });
  const replies = [one.call("initialize", opens), other.call("initialize", opens)];
  await until(() => openings.length > 0);
  openings[0]?.open();
  const [first, second] = await Promise.all(replies);
  expect(openings.map((opening) => opening.id)).toEqual([id]);
  expect(first?.result?.session).toMatchObject({ id });
  expect(second?.result?.session).toMatchObject({ id });
  expect([...server.sessions.keys()]).toEqual([id]);
});

test("a session that cannot be opened fails the request that wanted it, and the next request tries again", async () => {
  const { connect, openings, server } = slowlyKept();
  const { client } = connect({ session: () => server.openSession() });
  const failing = client.call("prompt", { user_input: "go" });
  const trying = client.call("prompt", { user_input: "again" });
  await until(() => openings.length === 1);
  openings[0]?.fail(new WireError("Overloaded", "the store is away", { data: { limit: "store" } }));
  expect((await failing).error).toMatchObject({ message: "the store is away" });
  await until(() => openings.length === 2);
  openings[1]?.open();
  expect((await trying).result).toEqual({ status: "finished" });
});

test("a kept part that is not open in 30 s is given up, and closed if it comes later", async () => {
  const { openings, server, clock, closed } = slowlyKept();
  const opening = Promise.resolve(server.openSession({ id }));
  clock.advance(29_999);
  clock.advance(1);
  await expect(opening).rejects.toMatchObject({ code: "TIMEOUT" });
  openings[0]?.open();
  await until(() => closed.length === 1);
  expect(server.sessions.size).toBe(0);
});

test("a connection that its program closes while its session is being opened ends, and leaves no session", async () => {
  const { openings, server, closed, connect } = slowlyKept();
  const { client, closed: ended } = connect({ sessionId: id });
  void client.call("prompt", { user_input: "go" });
  client.close();
  openings[0]?.open();
  await ended;
  await until(() => closed.length === 1);
  expect(server.sessions.size).toBe(0);
});

test("a server that closes while a session is being opened gives its kept part back", async () => {
  const { openings, server, closed } = slowlyKept();
  const opening = Promise.resolve(server.openSession({ id }));
  const end = server.close();
  openings[0]?.open();
  await expect(opening).rejects.toMatchObject({ code: "CLOSED" });
  await end;
  expect(closed).toEqual([id]);
});

test("sessions that are being opened count at the limit of sessions", async () => {
  const { server, openings } = slowlyKept();
  const more = Array.from({ length: 256 }, () => Promise.resolve(server.openSession()));
  expect(() => server.openSession()).toThrow("more than 256 sessions");
  expect(() => server.createSession({ id })).toThrow("more than 256 sessions");
  for (const opening of openings) opening.fail(new Error("enough"));
  await Promise.allSettled(more);
  expect(() => server.createSession({ id })).toThrow(
    "createSession: `keep` gives a promise here: use openSession",
  );
  expect(() => server.openSession({ id })).toThrow(`session ${id} is open already`);
});

test("a session without a connection leaves memory once nobody has used it after a slow opening", async () => {
  const { server, openings, clock, closed } = slowlyKept();
  const opening = Promise.resolve(server.openSession({ id }));
  openings[0]?.open();
  await opening;
  clock.advance(30_000);
  await until(() => closed.length === 1);
  expect(server.sessions.size).toBe(0);
});
