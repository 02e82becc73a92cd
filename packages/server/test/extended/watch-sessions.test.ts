import { hostname } from "node:os";
import type { ListedSession } from "@askwire/protocol";
import { linkedPair } from "@askwire/protocol/testing";
import { describe, expect, test } from "vitest";
import { deferred } from "../../../../scripts/deferred.js";
import { modelAgent, scriptedModel } from "../../../agent/src/index.js";
import { type AgentSession, keepIn } from "../../src/index.js";
import { drivenClock } from "../driven-clock.js";
import { detailedLog, temporaryFolder } from "../journal-folder.js";
import { type RawClient, rawClient } from "../raw-client.js";
import { asks, colour, scenario } from "../scenario.js";
import { approval, asking, extended, items, meetAsked, meetExtended, question } from "./extended-client.js";
import { listeningExtended } from "./extended-gateway.js";

interface Change {
  sessions: ListedSession[];
  closed: string[];
}

const changes = ({ received }: RawClient) =>
  received
    .filter(({ method }) => method === "sessions_changed")
    .map(({ params }) => params as never as Change);
const listed = async (client: RawClient, method = "list_sessions") =>
  ((await client.call(method)).result as { sessions: ListedSession[] }).sessions;

/** A server whose time stands still, and a client outside of the sessions that the tests change. */
async function watching(set: ReturnType<typeof scenario>) {
  const { client, found } = await meetExtended(set, { sessionMethods: true }, { name: "watcher" });
  return { client, found };
}

describe("a session in a list (P-XSE-4)", () => {
  test("a session in a list has its title, folder, host and times, what is open, and the text of the oldest request that waits", async () => {
    const clock = drivenClock();
    clock.advance(1_000);
    const set = asking(() => [question(), approval()], { clock, workDir: "/work/shop", host: "mill" });
    const session = set.server.createSession();
    const { client: base } = await set.meet({ session });
    const { client } = await meetExtended(set, { session, sessionMethods: true });
    clock.advance(1_000);
    expect(await listed(client)).toEqual([
      {
        id: session.id,
        state: "idle",
        connections: 2,
        folder: "/work/shop",
        host: "mill",
        made_at: "1970-01-01T00:00:01.000Z",
        active_at: "1970-01-01T00:00:01.000Z",
        open: 0,
      },
    ]);
    const prompt = base.call("prompt", { user_input: "\n  Set up the shop\nand nothing else" });
    const asked = await client.asked("QuestionRequest");
    clock.advance(1_000);
    const since = "1970-01-01T00:00:02.000Z";
    const [waiting] = await listed(client);
    expect(waiting).toMatchObject({
      state: "waiting",
      title: "Set up the shop",
      active_at: since,
      open: 2,
      oldest: { request_id: asked.id, kind: "question", text: "Which colour?", since },
    });
    await client.answer(asked, { items });
    const [one] = await listed(client);
    expect(one).toMatchObject({ active_at: "1970-01-01T00:00:03.000Z", open: 1 });
    expect(one?.oldest).toEqual({ request_id: expect.any(String), kind: "approval", text: "ls", since });
    await client.answer(await client.asked("ApprovalRequest"), { response: "reject", feedback: "no" });
    await prompt;
    const [after] = await listed(client);
    expect([after?.open, after?.oldest, after?.state]).toEqual([0, undefined, "idle"]);
  });

  test("a session in a list was active last when its turn ended, however long it had nothing to tell", async () => {
    const clock = drivenClock();
    const { promise: gone, resolve: goOn } = deferred();
    const set = scenario([], { clock, run: () => gone });
    const session = set.server.createSession();
    const { client } = await meetExtended(set, { session, sessionMethods: true });
    const { prompt } = await client.begin("TurnBegin");
    clock.advance(60_000);
    goOn();
    await prompt;
    expect((await listed(client))[0]).toMatchObject({ active_at: "1970-01-01T00:01:00.000Z" });
  });

  test("a session in a list has the folder of the process and the name of the machine where the server was told none", async () => {
    const set = await listeningExtended([]);
    const client = await set.joinExtended();
    for (const { folder, host } of await listed(client)) {
      expect([folder, host]).toEqual([process.cwd(), hostname()]);
    }
  });

  test.each([
    ["a line of 300 characters", "x".repeat(300), `${"x".repeat(199)}…`],
    ["lines and blanks", "Which\n\n\t one \u2028 then?", "Which one then?"],
    ["an escape of a terminal and a turned text", "a\u001b[2Jb\u202ec\u200bd\u{e0041}e", "a [2Jb c d e"],
    ["a character cut in two", `${"x".repeat(198)}😀😀`, `${"x".repeat(198)}…`],
  ])("a session in a list shows %s as a short line without controls", async (_what, text, shown) => {
    const set = asking(() => [question({ questions: [{ question: text, options: [] }] })]);
    const { client } = await meetAsked("QuestionRequest", set, { sessionMethods: true });
    expect((await listed(client))[0]?.oldest?.text).toBe(shown);
  });

  test("a session in a list takes no title from a slash command, a picture or blanks, but the first words of any later prompt", async () => {
    const commands = [{ name: "plan", description: "", async run() {} }];
    const set = scenario(["text: a", "text: b", "text: c"], { agentOptions: { commands: () => commands } });
    const { client } = await meetExtended(set, { sessionMethods: true });
    const picture = { type: "image_url", image_url: { url: "data:image/png;base64,AA==" } };
    const titles: unknown[] = [];
    for (const user_input of ["/plan on", " \n ", [picture, { type: "text", text: "See\nthis" }], "Next"]) {
      await client.call("prompt", { user_input });
      titles.push((await listed(client))[0]?.title);
    }
    expect(titles).toEqual([undefined, undefined, "See", "See"]);
  });

  test("a session in a list has the title that the agent sets, until the agent takes it back", async () => {
    let session: AgentSession | undefined;
    const model = scriptedModel(["text: a"]);
    const set = scenario([], {
      agent(made) {
        session = made;
        return modelAgent({ model });
      },
    });
    const { client } = await meetExtended(set, { sessionMethods: true });
    await client.call("prompt", { user_input: "Do it" });
    const titles: unknown[] = [];
    for (const title of ["The \u001b shop\n", " ", "y".repeat(200), undefined]) {
      (session as AgentSession).title = title;
      titles.push([session?.title, (await listed(client))[0]?.title]);
    }
    const long = `${"y".repeat(119)}…`;
    expect(titles).toEqual([
      ["The shop", "The shop"],
      ["Do it", "Do it"],
      [long, long],
      ["Do it", "Do it"],
    ]);
  });

  test("a session in a list keeps title and beginning of a kept session in the next process", async () => {
    const clock = drivenClock();
    clock.advance(5_000);
    const keep = keepIn({ share: temporaryFolder(), workDir: "/work", log: detailedLog(), clock });
    const id = "11111111-1111-4111-8111-111111111111";
    const first = scenario(["text: a", "text: b"], { keep, clock });
    const { client } = await meetExtended(first, { sessionId: id });
    await client.call("prompt", { user_input: "/plan on" });
    await client.call("prompt", { user_input: [{ type: "text", text: "Paint it\nred" }] });
    await first.server.close();
    clock.advance(60_000);
    const again = scenario([], { keep, clock });
    const { client: later } = await meetExtended(again, { sessionId: id, sessionMethods: true });
    expect((await listed(later))[0]).toMatchObject({
      title: "Paint it",
      made_at: "1970-01-01T00:00:05.000Z",
    });
    await again.server.close();
  });
});

describe("watch_sessions (P-XSE-5)", () => {
  test("watch_sessions lists the sessions, and then sends this connection alone what is new, changed and gone", async () => {
    const clock = drivenClock();
    const set = asking(() => [question()], { clock });
    const { client, found } = await watching(set);
    const { client: other } = await meetExtended(set, { sessionMethods: true });
    const before = await listed(client, "watch_sessions");
    expect(before.map(({ id }) => id)).toContain(found.id);
    const session = set.server.createSession();
    clock.advance(100);
    await client.settled();
    expect(changes(client)).toEqual([
      { sessions: [expect.objectContaining({ id: session.id, state: "idle" })], closed: [] },
    ]);
    const { client: inside } = await meetExtended(set, { session });
    await inside.begun("QuestionRequest");
    clock.advance(100);
    await client.settled();
    expect(changes(client)[1]).toMatchObject({
      sessions: [{ id: session.id, state: "waiting", connections: 1, title: "go", open: 1 }],
      closed: [],
    });
    await session.close();
    clock.advance(100);
    await client.settled();
    expect(changes(client)[2]).toEqual({ sessions: [], closed: [session.id] });
    expect([changes(other), changes(inside)]).toEqual([[], []]);
  });

  test("watch_sessions is declared by a server that has it, and refused by one that has not", async () => {
    const set = scenario([]);
    const { client } = await meetExtended(set, { sessionMethods: true });
    const { client: without } = await meetExtended(set);
    const shows = ({ received }: RawClient) =>
      (received[0]?.result as { capabilities?: { askwire: { watch?: boolean } } })?.capabilities?.askwire
        .watch;
    expect([shows(client), shows(without)]).toEqual([true, undefined]);
    for (const method of ["watch_sessions", "unwatch_sessions"])
      expect((await without.call(method)).error?.code).toBe(-32601);
  });

  test("watch_sessions ends with unwatch_sessions, and begins again with a list", async () => {
    const clock = drivenClock();
    const set = scenario([], { clock });
    const { client } = await watching(set);
    await listed(client, "watch_sessions");
    set.server.createSession();
    expect((await client.call("unwatch_sessions")).result).toEqual({});
    expect((await client.call("unwatch_sessions")).result).toEqual({});
    set.server.createSession();
    clock.advance(1_000);
    await client.settled();
    expect(changes(client)).toEqual([]);
    expect(await listed(client, "watch_sessions")).toHaveLength(3);
    expect(await listed(client, "watch_sessions")).toHaveLength(3);
    set.server.createSession();
    clock.advance(100);
    await client.settled();
    expect(changes(client)).toHaveLength(1);
  });

  test("watch_sessions ends with the connection, after which nothing waits for it", async () => {
    const clock = drivenClock();
    const set = scenario([], { clock });
    const session = set.server.createSession();
    const { client, closed } = await meetExtended(set, { session, sessionMethods: true });
    await listed(client, "watch_sessions");
    const waiting = clock.waiting;
    set.server.createSession();
    expect(clock.waiting).toBe(waiting + 1);
    client.close();
    await closed;
    // The wait for the unused session has taken the place of the signs of life.
    expect(clock.waiting).toBe(waiting);
    set.server.createSession();
    expect(clock.waiting).toBe(waiting);
  });
});

describe("a watch that is told much (P-XSE-6)", () => {
  test("a session that changes a thousand times in a second is sent ten times at most, each time in its latest state", async () => {
    const clock = drivenClock();
    const set = scenario([], { clock });
    const session = set.server.createSession();
    const { client } = await watching(set);
    await listed(client, "watch_sessions");
    for (let n = 1; n <= 1_000; n += 1) {
      (session as never as AgentSession).title = `title ${n}`;
      clock.advance(1);
      await Promise.resolve();
    }
    await client.settled();
    clock.advance(100);
    await client.settled();
    const titles = changes(client).map(({ sessions: [one] }) => one?.title);
    expect(titles.length).toBeLessThanOrEqual(11);
    expect(titles.length).toBeGreaterThan(5);
    expect(titles.at(-1)).toBe("title 1000");
  });

  test("300 sessions that change at once come as 256 and the rest", async () => {
    const clock = drivenClock();
    const set = scenario([], { clock, maxSessions: 400 });
    const { client } = await watching(set);
    await listed(client, "watch_sessions");
    for (let n = 0; n < 300; n += 1) set.server.createSession();
    clock.advance(100);
    await client.settled();
    clock.advance(100);
    await client.settled();
    expect(changes(client).map(({ sessions }) => sessions.length)).toEqual([256, 44]);
  });

  test("a list over the limit of a message is a line in the log, and the connection lives (P-LIM-4)", async () => {
    const clock = drivenClock();
    const log = detailedLog();
    const set = scenario([], { clock, log, limits: { outboundLength: 6_000 } });
    const { client } = await watching(set);
    await listed(client, "watch_sessions");
    for (let n = 0; n < 40; n += 1) set.server.createSession();
    clock.advance(100);
    await client.settled();
    expect(log.told.map(({ text }) => text)).toContain("changed sessions could not be told");
    expect([changes(client), client.isClosed]).toEqual([[], false]);
  });

  test("sessions that come and go between two notifications are not reported", async () => {
    const clock = drivenClock();
    const set = scenario([], { clock });
    const { client } = await watching(set);
    await listed(client, "watch_sessions");
    for (let n = 0; n < 100; n += 1) await set.server.createSession().close();
    clock.advance(100);
    await client.settled();
    expect(changes(client)).toEqual([]);
  });

  test("a client that does not read is told nothing more until it does, and then the newest", async () => {
    const clock = drivenClock();
    const set = scenario([], { clock });
    const named = set.server.createSession() as never as AgentSession;
    const { left, right } = linkedPair();
    let read = () => {};
    const drained = () =>
      new Promise<void>((resolve) => {
        read = resolve;
      });
    set.server.connect({ ...left, drained }, { sessionMethods: true });
    const client = extended(rawClient(right));
    await client.introduce();
    await listed(client, "watch_sessions");
    const titles = () => changes(client).flatMap(({ sessions }) => sessions.map(({ title }) => title));
    for (const title of ["first", "second", "third", "last"]) {
      named.title = title;
      clock.advance(100);
      await client.settled();
    }
    expect(titles()).toEqual(["first"]);
    read();
    await client.settled();
    clock.advance(100);
    await client.settled();
    expect(titles()).toEqual(["first", "last"]);
  });
});

describe("the sessions of a server for its embedder", () => {
  test("the sessions of a server are listed to its embedder as to clients, and each change is told while it watches", async () => {
    const { server, meet } = scenario([asks([colour])]);
    const told: string[] = [];
    const unwatch = server.watchSessions((id) => void told.push(id));
    const session = server.createSession();
    expect(server.listSessions()).toMatchObject([{ id: session.id, open: 0 }]);
    const { client } = await meet({ session });
    await client.begin("QuestionRequest");
    expect(server.listSessions()).toMatchObject([{ open: 1, oldest: { text: "Which colour?" } }]);
    expect(new Set(told)).toEqual(new Set([session.id]));
    unwatch();
    const before = told.length;
    await session.close();
    expect([told.length, server.listSessions()]).toEqual([before, []]);
  });

  test("a watcher that throws is a line in the log and changes nothing", async () => {
    const log = detailedLog();
    const { server } = scenario(["text: a"], { log });
    server.watchSessions(() => {
      throw new Error("no");
    });
    expect(await server.createSession().prompt("go")).toEqual({ status: "finished" });
    expect(log.told.map(({ text }) => text)).toContain("a watcher of the sessions failed");
  });
});
