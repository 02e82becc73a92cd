import { expect, test } from "vitest";
import type { ServerOptions, Session, SharedRows } from "../../src/index.js";
import { drivenClock } from "../driven-clock.js";
import { meetExtended } from "../extended/extended-client.js";
import { MemoryStore } from "../memory-store.js";
import { colour, scenario } from "../scenario.js";
import { WORK_DIR } from "../stores.js";
import { id } from "./crashing.js";

/** A node of a store, whose looks at what other nodes have find what a test says. */
function node(store: MemoryStore, clock = drivenClock(), options: Partial<ServerOptions> = {}) {
  let found: SharedRows = { rows: [], isWhole: true };
  let looks = 0;
  const shared = async () => {
    looks += 1;
    return found;
  };
  const set = scenario([], {
    ...{ store: { ...store.process(), shared }, workDir: WORK_DIR, attendance: "hold" as const, clock },
    ...options,
  });
  return {
    ...set,
    clock,
    inSession: () => set.server.sessions.get(id) as Session,
    /** Lets the next look find rows. */
    async looks(next: SharedRows) {
      found = next;
      const before = looks;
      await expect
        .poll(() => {
          clock.advance(4_000);
          return looks;
        })
        .toBeGreaterThan(before + 1);
    },
    /** A program that asks in a session, and goes. */
    async asked(params: object = {}, workDir = WORK_DIR) {
      const session = await set.server.openSession({ id, workDir });
      const { client, closed } = await meetExtended(set, { session }, { name: "deployer", question: false });
      const { result } = await client.call("ask", { key: "k", questions: [colour], wait: false, ...params });
      client.close();
      await closed;
      return result?.request_id as string;
    },
  };
}

/** The row of the session of a store, as another node finds it. */
async function rowOf(store: MemoryStore, isElsewhere: boolean, version = "1.1"): Promise<SharedRows> {
  const row = await store.process().find(id);
  if (row === undefined) throw new Error("nothing is kept");
  return { rows: [{ id, version, isElsewhere, row }], isWhole: true };
}

test("a parked session of another folder stays listed with its question, since looks tell nothing of it (P-NOD-5)", async () => {
  const { asked, server, clock, looks } = node(new MemoryStore());
  const request = await asked({}, "/another");
  clock.advance(30_000);
  await expect.poll(() => server.sessions.size).toBe(0);
  await looks({ rows: [], isWhole: true });
  expect(server.listRequests()).toMatchObject([{ request_id: request }]);
  await server.close();
});

test("a session that a look finds no longer is not listed, also where there are more than a look finds (P-NOD-5)", async () => {
  const store = new MemoryStore();
  const owner = node(store);
  await owner.asked();
  const { server, looks } = node(store);
  await looks(await rowOf(store, true));
  expect(server.listRequests().length).toBe(1);
  await looks({ rows: [], isWhole: false });
  expect(server.listRequests()).toEqual([]);
  await Promise.all([server.close(), owner.server.close()]);
});

test("a session of another node that a client wants to close stays listed, and the client is refused (P-NOD-5)", async () => {
  const store = new MemoryStore();
  const owner = node(store);
  await owner.asked();
  const other = node(store);
  await other.looks(await rowOf(store, true));
  const session = await other.server.openSession();
  const { client } = await meetExtended(other, { session, sessionMethods: true });
  const { error } = await client.call("close_session", { session_id: id });
  expect(error?.message).toContain("is open elsewhere");
  expect(other.server.listRequests().length).toBe(1);
  await Promise.all([other.server.close(), owner.server.close()]);
});

test("a client that may only answer opens no session in which nothing is open, though another node had it just now (P-NOD-3)", async () => {
  const store = new MemoryStore();
  const owner = node(store);
  await owner.asked();
  const person = await meetExtended(owner, { session: owner.inSession() });
  const byRed = { items: [{ question_id: "q1", selected: ["q1_o1"] }] };
  await person.client.answer(await person.client.asked("QuestionRequest"), byRed);
  const other = node(store);
  await other.looks(await rowOf(store, true));
  await owner.server.close();
  const client = { role: "answer" as const, resumes: false, isAddressed: true };
  expect(other.server.listSessions()).toMatchObject([{ id, state: "idle" }]);
  expect(await other.server.takeOver(id, client)).toBe(undefined);
  expect(typeof (await other.server.sessionAt(id))).toBe("function");
  expect((await other.server.takeOver(id, { ...client, resumes: true }))?.id).toBe(id);
  await other.server.close();
});

test("a deadline that a person took away at a node that was killed does not end at another one (P-NOD-5)", async () => {
  const clock = drivenClock();
  const store = new MemoryStore(new Map(), clock);
  const owner = node(store, clock);
  const request = await owner.asked({ deadline: { ms: 60_000, on_expiry: "cancel" } });
  const { client } = await meetExtended(owner, { session: owner.inSession() });
  expect((await client.call("touch", { request_id: request })).error).toBe(undefined);
  const left = store.afterCrash();
  const other = node(left, clock);
  await other.looks(await rowOf(left, false));
  clock.advance(60_000);
  await expect.poll(() => left.rows(id).generation).toBeGreaterThan(1);
  await expect
    .poll(() => {
      clock.advance(0);
      return other.server.sessions.size;
    })
    .toBe(0);
  expect(other.server.listRequests()).toMatchObject([{ request_id: request }]);
  await other.server.close();
});
