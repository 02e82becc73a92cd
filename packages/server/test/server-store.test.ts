import { randomUUID } from "node:crypto";
import { type ListedRequest, WireError } from "@askwire/protocol";
import { linkedPair } from "@askwire/protocol/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import { createServer, keepIn, type ServerOptions, type SessionStore } from "../src/index.js";
import { listenWebSocket } from "../src/websocket.js";
import { drivenClock } from "./driven-clock.js";
import { extended, introduction, meetExtended } from "./extended/extended-client.js";
import { detailedLog, temporaryFolder } from "./journal-folder.js";
import { MemoryStore, type StoreCall } from "./memory-store.js";
import { rawClient } from "./raw-client.js";
import { scenario } from "./scenario.js";
import { WORK_DIR } from "./stores.js";
import { until } from "./until.js";
import { clientsOf } from "./websocket/gateway.js";

const id = "11111111-1111-4111-8111-111111111111";
const questions = [{ question: "Still open?", options: [{ label: "Yes" }] }];
const opens = introduction({ session: { id, open: true } });

/** A server on a store, with a log that keeps details. */
function served(store: MemoryStore, options: Parameters<typeof scenario>[1] = {}) {
  const log = detailedLog();
  const set = scenario(["text: Hello.", "text: Again."], {
    ...{ store: store.process(), workDir: WORK_DIR, attendance: "hold" as const, log },
    ...options,
  });
  return { ...set, log };
}

/** A store with one session in which a program's question is open, and the id of the question. */
async function withOpenQuestion() {
  const store = new MemoryStore();
  const { server, connect } = served(store);
  const { client } = await meetExtended({ connect }, { sessionId: id });
  const { result } = await client.call("ask", { key: "k", questions, wait: false });
  await server.close();
  return { store, asked: result?.request_id as string };
}

/** A client outside of all sessions. */
async function outside(set: ReturnType<typeof served>) {
  const { client } = set.connect({ session: () => set.server.openSession(), sessionMethods: true });
  await client.call("initialize", { ...introduction(), lobby: true });
  client.story();
  return extended(client);
}

const rows = async (client: Awaited<ReturnType<typeof outside>>, wanted: object = {}) =>
  ((await client.call("list_requests", wanted)).result as { requests: ListedRequest[] }).requests;

const unreachable = {
  code: -32020,
  message: expect.stringContaining("memory cannot be reached"),
  data: { limit: "store" },
};

describe("the options of a server with a store", () => {
  const agent = { run: async () => {} };
  const keeping = { share: "/none", workDir: WORK_DIR };
  test.each([
    ["keep", { keep: keepIn(keeping) }],
    ["isKept", { isKept: () => true }],
    ["unfinished", { unfinished: () => [] }],
    ["keptSessions", { keptSessions: () => [] }],
  ] satisfies [string, Partial<ServerOptions>][])(
    "store beside %s is refused by both names",
    (name, more) => {
      const store = new MemoryStore().process();
      const message = `createServer: expected \`store\` or \`${name}\`, not both`;
      expect(() => createServer({ agent, store, ...more })).toThrow(new TypeError(message));
    },
  );

  test("whenNotKept without a store is refused with the place of the one for local disk", () => {
    const made = () => createServer({ agent, whenNotKept: "ask" });
    expect(made).toThrow("`whenNotKept` goes with `store`: keepIn has an option of this name");
  });

  test("an object that is no store is refused with what a store has", () => {
    const store = { name: "none", take() {} } as unknown as SessionStore;
    expect(() => createServer({ agent, store })).toThrow(
      "store: expected a store with functions take, find, list, remove and close",
    );
  });

  test("createSession says that a store opens sessions later, and takes none", async () => {
    const store = new MemoryStore();
    const { server } = served(store);
    expect(() => server.createSession({ id })).toThrow("a `store` opens sessions later: use openSession");
    await server.openSession({ id });
    await server.close();
  });
});

describe("what is kept in a store", () => {
  test("an open question of another process is in the list of requests, and is opened from there", async () => {
    const { store, asked } = await withOpenQuestion();
    const set = served(store);
    const client = await outside(set);
    const [row, ...more] = await rows(client);
    expect(more).toEqual([]);
    expect(row).toMatchObject({ request_id: asked, session_id: id, state: "kept", folder: WORK_DIR });
    const joined = set.connect({ session: () => set.server.openSession() }).client;
    const { result } = await joined.call("initialize", opens);
    expect(result?.session).toMatchObject({ id, pending: [asked] });
    expect((await rows(client)).map(({ state }) => state)).toEqual(["open"]);
    await set.server.close();
  });

  test("a session that another process has is refused without a word of where that is, and is in no list", async () => {
    const { store } = await withOpenQuestion();
    const first = served(store);
    await first.server.openSession({ id });
    const set = served(store);
    const client = await outside(set);
    expect(await rows(client)).toEqual([]);
    expect((await client.call("list_sessions", { state: "kept" })).result).toEqual({ sessions: [] });
    const { client: other } = set.connect({ session: () => set.server.openSession() });
    expect((await other.call("initialize", opens)).error).toMatchObject({
      code: -32000,
      message: `session.id: session ${id} is open elsewhere, or was moved: the server's log says where`,
    });
    await first.server.close();
    expect((await other.call("initialize", opens)).result?.session).toMatchObject({ id });
    await set.server.close();
  });

  test("sessions of another work directory are neither listed nor opened", async () => {
    const { store } = await withOpenQuestion();
    const set = served(store, { workDir: "/elsewhere" });
    const client = await outside(set);
    expect(await rows(client)).toEqual([]);
    const { client: other } = set.connect({ session: () => set.server.openSession() });
    expect((await other.call("initialize", opens)).error).toMatchObject({ code: -32011 });
    await set.server.close();
  });

  test("a killed process leaves its question in the list of the next, however soon it was killed after asking", async () => {
    const store = new MemoryStore();
    const clock = drivenClock();
    const { client } = await meetExtended(served(store, { clock }), { sessionId: id });
    // The clock stands still, so nothing is gathered for a later commit.
    await client.call("ask", { key: "k", questions, wait: false });
    const set = served(store.afterCrash());
    expect((await rows(await outside(set))).map(({ text }) => text)).toEqual(["Still open?"]);
    await set.server.close();
  });

  test("a server closes its sessions, and then its store", async () => {
    const store = new MemoryStore();
    const calls: StoreCall[] = [];
    store.strikeCall = (call) => void calls.push(call);
    const set = served(store);
    await meetExtended(set, { sessionId: id });
    await set.server.close();
    expect(calls.slice(-2)).toEqual(["release", "close"]);
  });
});

describe("addresses of sessions in a store", () => {
  /** A gateway on the server, and a way to its sessions. */
  async function listeningOn(set: ReturnType<typeof served>) {
    const gateway = await listenWebSocket(set.server);
    onTestFinished(() => gateway.close());
    const there = await set.server.openSession();
    return clientsOf(set.server, gateway, there);
  }

  test("a kept session is opened at its address, and the address of none closes the connection with 4404", async () => {
    const { store, asked } = await withOpenQuestion();
    const set = served(store);
    const { open } = await listeningOn(set);
    const client = extended(await open(`/wire/${id}`));
    expect((await client.call("initialize", introduction({ session: { id } }))).error).toMatchObject({
      data: { kept: true },
    });
    expect((await client.call("initialize", opens)).result?.session).toMatchObject({ pending: [asked] });
    expect(await (await open(`/wire/${randomUUID()}`)).ended).toBe("4404 there is no such session");
    await set.server.close();
  });

  test("a store that cannot be reached closes a connection to an address, and one to a new session, with 1011 and its name", async () => {
    const store = new MemoryStore();
    const set = served(store);
    const { open } = await listeningOn(set);
    store.strikeCall = () => {
      throw new Error("connect ECONNREFUSED");
    };
    expect(await (await open(`/wire/${id}`)).ended).toContain("as memory cannot be reached");
    const client = await open("/wire");
    void client.call("initialize", introduction()).catch(() => {});
    expect(await client.ended).toMatch(/^1011 .*memory cannot be reached/);
    store.strikeCall = () => {};
    await set.server.close();
  });
});

/** The ways in which a client meets a store, each with its call of the store. */
const meetings: readonly [
  StoreCall,
  string,
  (client: Awaited<ReturnType<typeof outside>>) => Promise<unknown>,
][] = [
  ["find", "opening a kept session", (client) => client.call("initialize", opens)],
  ["take", "opening a kept session", (client) => client.call("initialize", opens)],
  ["read", "opening a kept session", (client) => client.call("initialize", opens)],
  ["list", "the list of requests", (client) => client.call("list_requests")],
  ["list", "the list of kept sessions", (client) => client.call("list_sessions", { state: "kept" })],
];

/** A client on its way into a session, or one outside of them. */
async function meeting(set: ReturnType<typeof served>, what: string) {
  if (what !== "opening a kept session") return outside(set);
  return extended(set.connect({ session: () => set.server.openSession(), sessionMethods: true }).client);
}

describe.each(meetings)("a store whose %s fails at %s", (call, what, ask) => {
  test("the client is told so with the name of the store, the log has why, and the next attempt succeeds", async () => {
    const { store } = await withOpenQuestion();
    const set = served(store);
    const client = await meeting(set, what);
    store.strikeCall = (struck) => {
      if (struck === call) throw new Error("connect ECONNREFUSED");
    };
    expect(await ask(client)).toMatchObject({ error: unreachable });
    expect(set.log.told).toMatchObject([
      { details: { store: "memory", error: "Error: connect ECONNREFUSED" } },
    ]);
    store.strikeCall = () => {};
    expect(await ask(client)).not.toHaveProperty("error");
    await set.server.close();
  });

  test("a call that never ends is given up after 30 s, with the name of the store", async () => {
    const { store } = await withOpenQuestion();
    const clock = drivenClock();
    const set = served(store, { clock });
    const client = await meeting(set, what);
    let struck = false;
    store.strikeCall = (made) => {
      if (made !== call) return;
      struck = true;
      return new Promise<void>(() => {});
    };
    const asked = ask(client);
    await until(() => struck);
    clock.advance(30_000);
    expect(await asked).toMatchObject({ error: unreachable });
    expect(set.log.told).toMatchObject([{ details: { error: "Error: no reply in 30000 ms" } }]);
    store.strikeCall = () => {};
    await set.server.close();
  });

  test("a server that closes meanwhile waits no longer", async () => {
    const { store } = await withOpenQuestion();
    const set = served(store);
    const client = await meeting(set, what);
    let struck = false;
    let goOn = () => {};
    store.strikeCall = (made) => {
      if (made !== call) return;
      struck = true;
      return new Promise<void>((resolve) => {
        goOn = resolve;
      });
    };
    void ask(client).catch(() => {});
    await until(() => struck);
    await set.server.close();
    // What comes after all is given back.
    goOn();
    store.strikeCall = () => {};
    await expect.poll(() => store.process().find(id)).toMatchObject({ state: "closed" });
  });
});

test("messages behind a slow look for a session wait for it, in their order (P-ENG-2)", async () => {
  const { store } = await withOpenQuestion();
  const set = served(store);
  const { client } = set.connect({ session: () => set.server.openSession() });
  let isAsked = false;
  let goOn = () => {};
  store.strikeCall = (call) => {
    if (call !== "find") return;
    isAsked = true;
    return new Promise<void>((resolve) => {
      goOn = resolve;
    });
  };
  const replies: string[] = [];
  const noted = (name: string, reply: Promise<unknown>) => reply.then(() => replies.push(name));
  const all = [
    noted("initialize", client.call("initialize", opens)),
    noted("set_plan_mode", client.call("set_plan_mode", { enabled: true })),
    noted("prompt", client.call("prompt", { user_input: "go" })),
  ];
  await until(() => isAsked);
  expect(client.received).toEqual([]);
  store.strikeCall = () => {};
  goOn();
  await Promise.all(all);
  expect(replies).toEqual(["initialize", "set_plan_mode", "prompt"]);
  await set.server.close();
});

test("a connection that its program closes while its session is looked for has none taken", async () => {
  const { store } = await withOpenQuestion();
  const set = served(store);
  const { left, right } = linkedPair();
  const connected = set.server.connect(left, { session: () => set.server.openSession() });
  const client = rawClient(right);
  const calls: StoreCall[] = [];
  let goOn = () => {};
  store.strikeCall = (call) => {
    calls.push(call);
    return call === "find"
      ? new Promise<void>((resolve) => {
          goOn = resolve;
        })
      : undefined;
  };
  void client.call("initialize", opens).catch(() => {});
  await until(() => calls.length === 1);
  connected.close();
  await connected.closed;
  goOn();
  await new Promise((resolve) => setImmediate(resolve));
  await set.server.close();
  expect(calls).toEqual(["find", "close"]);
});

test("a store that cannot be closed does not keep its server from closing", async () => {
  const store = new MemoryStore();
  const set = served(store);
  store.strikeCall = () => {
    throw new Error("connect ECONNREFUSED");
  };
  await set.server.close();
  expect(set.log.told.map(({ text }) => text)).toEqual(["the store could not be closed"]);
});

test("openSession rejects with an error of the wire that names the store", async () => {
  const store = new MemoryStore();
  const set = served(store);
  store.strikeCall = () => {
    throw new Error("connect ECONNREFUSED");
  };
  const opening = Promise.resolve(set.server.openSession({ id }));
  await expect(opening).rejects.toBeInstanceOf(WireError);
  await expect(opening).rejects.toThrow(
    `session ${id} was not opened, as memory cannot be reached: try again`,
  );
  store.strikeCall = () => {};
  await set.server.openSession({ id });
  await set.server.close();
});

test("local disk goes on as it was: createSession is there at once", async () => {
  const share = temporaryFolder();
  const { server } = scenario(["text: Hello."], { keep: keepIn({ share, workDir: WORK_DIR }) });
  expect(server.createSession({ id }).id).toBe(id);
  expect(server.sessionAt(randomUUID())).toBeUndefined();
  await server.close();
});
