import type { ListedRequest, RequestNumbers } from "@askwire/protocol";
import { describe, expect, test } from "vitest";
import { QuestionRequest, wireSend } from "../../src/index.js";
import { drivenClock } from "../driven-clock.js";
import type { RawClient } from "../raw-client.js";
import { scenario } from "../scenario.js";
import { stores, WORK_DIR } from "../stores.js";
import { approval, asking, everything, meetExtended, question } from "./extended-client.js";

const yes = [{ question_id: "q1", selected: ["q1_o1"] }];

type Set = ReturnType<typeof scenario>;

interface Change {
  requests: ListedRequest[];
  gone: string[];
}

const page = async (client: RawClient, wanted?: object) =>
  (await client.call("list_requests", wanted)).result as {
    requests: ListedRequest[];
    next?: string;
    counts?: RequestNumbers;
  };

const changes = ({ received }: RawClient) =>
  received
    .filter(({ method }) => method === "requests_changed")
    .map(({ params }) => params as never as Change);

const iso = (ms: number) => new Date(ms).toISOString();

const texts = (requests: readonly ListedRequest[]) => requests.map(({ text }) => text);

/** A client outside of the sessions in which something waits. */
const watcher = async (set: Set) =>
  (await meetExtended(set, { sessionMethods: true }, { name: "watcher" })).client;

/** A new session whose agent asks this, and the client in it that is asked. */
async function waitingIn(set: Set, prompt: string) {
  const session = set.server.createSession();
  const { client } = await meetExtended(
    set,
    { session },
    { name: "person", shows: { ...everything, presence: true } },
  );
  const ended = client.call("prompt", { user_input: prompt });
  const asked = await client.asked("QuestionRequest");
  return { session, client, asked, ended };
}

/** A server whose agent asks the words of its prompt, with a deadline where they name one in milliseconds. */
function askingServer(options: Parameters<typeof scenario>[1] = {}) {
  const clock = drivenClock();
  const set = scenario([], {
    clock,
    host: "mill",
    workDir: "/work/shop",
    agentName: "painter",
    async run({ input }) {
      const [text = "", ms] = String(input).split(" within ");
      const deadline = ms === undefined ? undefined : { ms: Number(ms), on_expiry: "cancel" as const };
      const asked = new QuestionRequest({
        tool_call_id: "",
        questions: [{ question: text, options: [{ label: "Yes" }] }],
        ...(deadline && { deadline }),
      });
      wireSend(asked);
      await asked.wait();
    },
    ...options,
  });
  return { set, clock };
}

describe("list_requests (P-XRQ-1, P-XRQ-2)", () => {
  test("list_requests lists what waits in all sessions, what has a deadline first, then the oldest", async () => {
    const { set, clock } = askingServer();
    const client = await watcher(set);
    expect(await page(client)).toEqual({ requests: [] });
    const old = await waitingIn(set, "Old?");
    clock.advance(1_000);
    await waitingIn(set, "Young?");
    clock.advance(1_000);
    await waitingIn(set, "Late? within 90000");
    await waitingIn(set, "Soon? within 60000");
    const { requests, next } = await page(client);
    expect([texts(requests), next]).toEqual([["Soon?", "Late?", "Old?", "Young?"], undefined]);
    expect(requests[0]?.deadline).toBe("1970-01-01T00:01:02.000Z");
    expect(requests[2]).toEqual({
      request_id: old.asked.id,
      kind: "question",
      text: "Old?",
      since: "1970-01-01T00:00:00.000Z",
      state: "open",
      session_id: old.session.id,
      title: "Old?",
      agent: "painter",
      folder: "/work/shop",
      host: "mill",
    });
    await old.client.answer(old.asked, { items: yes });
    expect(texts((await page(client)).requests)).toEqual(["Soon?", "Late?", "Young?"]);
  });

  test("list_requests gives pages, each from where the last one ended, whatever came and went between", async () => {
    const { set, clock } = askingServer();
    const client = await watcher(set);
    const all = [];
    for (const name of ["A?", "B?", "C?", "D?", "E?"]) {
      all.push(await waitingIn(set, name));
      clock.advance(10);
    }
    const first = await page(client, { limit: 2 });
    expect(texts(first.requests)).toEqual(["A?", "B?"]);
    const last = all[1];
    await last?.client.answer(last.asked, { items: yes });
    const second = await page(client, { limit: 2, after: first.next });
    expect(texts(second.requests)).toEqual(["C?", "D?"]);
    expect(await page(client, { limit: 2, after: second.next })).toMatchObject({
      requests: [{ text: "E?" }],
    });
  });

  test("list_requests chooses by kind, by state and by words of the request, its session, folder or agent", async () => {
    const set = asking(() => [question(), approval()], { workDir: "/work/shop", agentName: "painter" });
    const client = await watcher(set);
    const person = (await meetExtended(set, { session: set.server.createSession() })).client;
    void person.call("prompt", { user_input: "Set up" });
    await person.asked("ApprovalRequest");
    const found = async (wanted: object) =>
      (await page(client, wanted)).requests.map(({ kind }) => kind).sort();
    expect(await found({})).toEqual(["approval", "question"]);
    expect(await found({ kinds: ["approval"] })).toEqual(["approval"]);
    expect(await found({ kinds: [] })).toEqual([]);
    expect(await found({ state: "kept" })).toEqual([]);
    expect(await found({ text: "COLOUR" })).toEqual(["question"]);
    for (const text of ["set UP", "work/shop", "Paint"]) {
      expect(await found({ text })).toEqual(["approval", "question"]);
    }
    expect(await found({ text: "%" })).toEqual([]);
  });

  test.each(["%", "_", ".*", "[a-z]+(", "\\\\D", "$1", "|"])(
    "the mark %s of a search is read as a pattern, and not as itself",
    async (text) => {
      const { set } = askingServer();
      const client = await watcher(set);
      await waitingIn(set, "Anything?");
      expect(texts((await page(client, { text })).requests)).toEqual([]);
      await waitingIn(set, `About ${text} here?`);
      expect(texts((await page(client, { text })).requests)).toEqual([`About ${text} here?`]);
    },
  );

  test("list_requests names the clients whose persons are answering", async () => {
    const { set } = askingServer();
    const client = await watcher(set);
    const { client: person, asked } = await waitingIn(set, "Old?");
    await person.call("touch", { request_id: asked.id });
    expect((await page(client)).requests[0]?.answering).toEqual([
      { name: "person", connection: expect.any(String) },
    ]);
  });

  test.each([
    ["an after that no page gave", { after: "[1]" }],
    ["an after that is no JSON", { after: "next" }],
    ["a limit of 0", { limit: 0 }],
    ["a limit of 201", { limit: 201 }],
    ["a kind that is none", { kinds: ["hook"] }],
    ["a state that is none", { state: "settled" }],
    ["counts that are no truth value", { counts: "all" }],
  ])("list_requests refuses %s", async (_what, wanted) => {
    const client = await watcher(askingServer().set);
    expect((await client.call("list_requests", wanted)).error?.code).toBe(-32602);
  });

  test.each(stores)(
    "list_requests has what waits in sessions that are kept %s and that nobody has open, until one opens them",
    async (_where, make) => {
      const store = make();
      const kept = () => ({ ...store.options(), attendance: "hold" as const });
      const first = askingServer(kept());
      const session = await first.set.server.openSession();
      const { client: program } = await meetExtended(
        first.set,
        { session, sessionMethods: true },
        { name: "ci" },
      );
      const questions = [{ question: "Still open?", options: [{ label: "Yes" }] }];
      const asked = (await program.call("ask", { key: "k", questions, wait: false })).result;
      // The process that has the session lists it once, in memory.
      expect((await page(program)).requests.map(({ state }) => state)).toEqual(["open"]);
      await first.set.server.close();
      const { set, clock } = askingServer(kept());
      const client = await watcher(set);
      const [row] = (await page(client)).requests;
      expect(row).toMatchObject({ state: "kept", text: "Still open?", session_id: session.id });
      expect([row?.request_id, row?.folder, row?.program]).toEqual([asked?.request_id, WORK_DIR, "ci"]);
      expect(texts((await page(client, { state: "open" })).requests)).toEqual([]);
      await meetExtended(set, { sessionId: session.id });
      clock.advance(1_000);
      expect((await page(client, { state: "kept" })).requests).toEqual([]);
      await set.server.close();
    },
  );
});

describe("the counts of list_requests (P-XRQ-4)", () => {
  test("a reply counts all wanted requests by kind and state, whatever its page has of them", async () => {
    const set = asking(() => [question(), question(), approval()], { workDir: "/work/shop" });
    const client = await watcher(set);
    const person = (await meetExtended(set, { session: set.server.createSession() })).client;
    void person.call("prompt", { user_input: "Set up" });
    const asked = await person.asked("QuestionRequest");
    await person.asked("ApprovalRequest");
    const counts = async (wanted: object) => (await page(client, { counts: true, ...wanted })).counts;
    const all = { all: 3, kinds: { question: 2, approval: 1 }, states: { open: 3, kept: 0 } };
    expect(await counts({})).toEqual(all);
    const first = await page(client, { limit: 1 });
    expect(first.counts).toBeUndefined();
    expect(await counts({ limit: 1, after: first.next })).toEqual(all);
    const approvals = { all: 1, kinds: { question: 0, approval: 1 }, states: { open: 1, kept: 0 } };
    expect(await counts({ kinds: ["approval"] })).toEqual(approvals);
    const colours = { all: 2, kinds: { question: 2, approval: 0 }, states: { open: 2, kept: 0 } };
    expect(await counts({ text: "COLOUR" })).toEqual(colours);
    const none = { all: 0, kinds: { question: 0, approval: 0 }, states: { open: 0, kept: 0 } };
    for (const wanted of [{ text: "%" }, { state: "kept" }, { kinds: [] }])
      expect(await counts(wanted)).toEqual(none);
    expect((await person.answer(asked, { outcome: { status: "declined" } })).error).toBeUndefined();
    expect(await counts({})).toEqual({
      all: 2,
      kinds: { question: 1, approval: 1 },
      states: { open: 2, kept: 0 },
    });
  });

  test("kept requests are counted beside open ones, and read once a second at most", async () => {
    let reads = 0;
    const row = (n: number) => ({
      ...{ id: `s${n}`, state: "closed" as const, activeAt: n },
      open: [{ request_id: `r${n}`, kind: "question" as const, text: `Kept ${n}?`, since: iso(n) }],
    });
    const { set, clock } = askingServer({
      isKept: () => true,
      unfinished() {
        reads += 1;
        return [2, 0, 1].map(row) as never;
      },
    });
    const client = await watcher(set);
    await waitingIn(set, "Open?");
    const listed = await page(client, { counts: true, limit: 1 });
    expect(listed.counts).toEqual({
      all: 4,
      kinds: { question: 4, approval: 0 },
      states: { open: 1, kept: 3 },
    });
    expect((await page(client, { text: "kept 1", counts: true })).counts?.states).toEqual({
      open: 0,
      kept: 1,
    });
    expect((await page(client, { state: "open", counts: true })).counts?.all).toBe(1);
    const rest = await page(client, { state: "kept", limit: 2 });
    expect(texts(rest.requests)).toEqual(["Kept 0?", "Kept 1?"]);
    expect(texts((await page(client, { state: "kept", after: rest.next })).requests)).toEqual(["Kept 2?"]);
    expect(reads).toBe(1);
    clock.advance(1_000);
    await page(client, { counts: true });
    expect(reads).toBe(2);
  });
});

describe("watch_requests (P-XRQ-3)", () => {
  test("watch_requests lists what waits, and then sends this connection alone what is new, changed and gone", async () => {
    const { set, clock } = askingServer();
    const client = await watcher(set);
    const other = await watcher(set);
    const old = await waitingIn(set, "Old?");
    const { result } = await client.call("watch_requests");
    expect(texts((result as never as Change).requests)).toEqual(["Old?"]);
    const young = await waitingIn(set, "Young?");
    await young.client.call("touch", { request_id: young.asked.id });
    clock.advance(100);
    await client.settled();
    expect(changes(client)).toMatchObject([
      { requests: [{ text: "Young?", answering: [{ name: "person" }] }], gone: [] },
    ]);
    await old.client.answer(old.asked, { items: yes });
    await old.ended;
    clock.advance(100);
    await client.settled();
    expect(changes(client).slice(1)).toEqual([{ requests: [], gone: [old.asked.id] }]);
    expect(changes(other)).toEqual([]);
  });

  test("watch_requests says nothing of a session that changed and has the same requests", async () => {
    const { set, clock } = askingServer();
    const client = await watcher(set);
    const { session } = await waitingIn(set, "Old?");
    await client.call("watch_requests");
    await set.meet({ session });
    clock.advance(100);
    await client.settled();
    expect(changes(client)).toEqual([]);
  });

  test("watch_requests tells the rows beyond the first 256 as changes, 256 at a time", async () => {
    const clock = drivenClock();
    const many = asking(() => Array.from({ length: 60 }, () => question()), { clock });
    const client = await watcher(many);
    for (let n = 0; n < 6; n += 1) {
      const { client: person } = await meetExtended(many, { session: many.server.createSession() });
      void person.call("prompt", { user_input: "go" });
      await person.asked("QuestionRequest", 60);
    }
    const { requests } = (await client.call("watch_requests")).result as never as Change;
    const told = new Map(requests.map((row) => [row.request_id, row]));
    expect(told.size).toBe(256);
    clock.advance(100);
    await client.settled();
    for (const change of changes(client)) for (const row of change.requests) told.set(row.request_id, row);
    expect(told.size).toBe(360);
  });

  test("watch_requests ends with unwatch_requests", async () => {
    const { set, clock } = askingServer();
    const client = await watcher(set);
    await client.call("watch_requests");
    expect((await client.call("unwatch_requests")).result).toEqual({});
    await waitingIn(set, "Old?");
    clock.advance(100);
    await client.settled();
    expect(changes(client)).toEqual([]);
  });
});

test("a server that lists what waits declares that, and one without these methods refuses them", async () => {
  const set = asking(() => [question()]);
  const client = await watcher(set);
  const { client: without } = await meetExtended(set);
  const declares = ({ received }: RawClient) =>
    (received[0]?.result as { capabilities?: { askwire: { inbox?: boolean } } })?.capabilities?.askwire.inbox;
  expect([declares(client), declares(without)]).toEqual([true, undefined]);
  for (const method of ["list_requests", "watch_requests", "unwatch_requests"]) {
    expect((await without.call(method)).error?.code).toBe(-32601);
  }
});
