import { LocalError } from "@askwire/protocol";
import { describe, expect, test } from "vitest";
import { deferred } from "../../../scripts/deferred.js";
import { systemClock, wireSend } from "../src/index.js";
import { openStored } from "../src/journal/open-stored.js";
import type { StoredCommit } from "../src/journal/stored-session.js";
import { drivenClock } from "./driven-clock.js";
import { attached, extended, items, meetExtended, order, question } from "./extended/extended-client.js";
import { detailedLog, messagesIn } from "./journal-folder.js";
import { type FaultAt, MemoryStore } from "./memory-store.js";
import { asks, scenario } from "./scenario.js";

const id = "11111111-1111-4111-8111-111111111111";
const byRed = { items: [{ question_id: "q1", selected: ["q1_o1"] }], answer_id: "mine" };

const served = (store: MemoryStore, scripts = [asks(), "text: Red it is."], options: object = {}) =>
  scenario(scripts, { store: store.process(), ...options });

const records = (store: MemoryStore) => messagesIn(store.rows(id).lines);
const settlements = (store: MemoryStore) =>
  records(store).filter(({ type }) => type === "InteractionSettled");
const count = (store: MemoryStore, wanted: string) =>
  records(store).filter(({ type }) => type === wanted).length;

/** A person who answers each question of a session at once, and all that the person was told. */
async function person(set: ReturnType<typeof served>) {
  const { client: raw } = set.connect({ sessionId: id });
  const client = extended(raw);
  const told = { shown: [] as unknown[], isAcknowledged: false, isOver: false };
  const found = await client.introduce().then(attached);
  const answered = client.asked("QuestionRequest").then(async (asked) => {
    told.shown.push(asked.id);
    const { error } = await client.answer(asked, byRed);
    told.isAcknowledged = error === undefined;
  });
  // A process that dies is asked no more.
  answered.catch(() => {});
  return { client, told, found };
}

/** A conversation with one question, from its prompt to its end. */
async function conversation(store: MemoryStore) {
  const set = served(store);
  const { client, told } = await person(set);
  const prompt = client.call("prompt", { user_input: "go", turn_id: "t-1" });
  void prompt.then(({ error }) => {
    told.isOver = error === undefined;
  });
  return { set, told, prompt };
}

/** The commits of a conversation in which nothing fails. */
async function commitsOfAll(): Promise<number> {
  const store = new MemoryStore();
  const { set, prompt } = await conversation(store);
  expect((await prompt).result).toEqual({ status: "finished" });
  await set.server.close();
  return store.rows(id).nth;
}

const points: readonly FaultAt[] = ["before", "reply"];

describe.each(points)("a store that fails once %s a commit", (at) => {
  test(`each commit that fails ${at === "before" ? "before it is made" : "after it was made"} is made once in the end, and nobody notices`, async () => {
    const commits = await commitsOfAll();
    for (let nth = 1; nth <= commits; nth += 1) {
      const store = new MemoryStore();
      let struck = 0;
      store.strike = (when, commit) => {
        if (when !== at || commit.nth !== nth || struck > 0) return;
        struck += 1;
        throw new Error("connection reset");
      };
      const { set, prompt } = await conversation(store);
      expect((await prompt).result).toEqual({ status: "finished" });
      await set.server.close();
      expect([nth, count(store, "InteractionOpened"), settlements(store).length]).toEqual([nth, 1, 1]);
      expect([nth, count(store, "TurnOpened"), count(store, "TurnEnded")]).toEqual([nth, 1, 1]);
      expect(store.rows(id).history.map((line) => JSON.parse(line).role)).toEqual([
        ...["user", "assistant", "tool", "assistant"],
      ]);
    }
  });

  test(`a process that dies ${at === "before" ? "before" : "after"} any of its commits has told nobody what the next one does not know`, async () => {
    const commits = await commitsOfAll();
    for (let nth = 1; nth <= commits; nth += 1) {
      const store = new MemoryStore();
      let died = () => {};
      const dead = new Promise<void>((resolve) => {
        died = resolve;
      });
      store.strike = (when, commit) => {
        if (when !== at || commit.nth !== nth) return;
        died();
        return new Promise(() => {});
      };
      const first = await conversation(store);
      const { told } = first;
      void first.prompt.then(() => first.set.server.close());
      await dead;
      const next = store.afterCrash();
      const known = records(next).map(({ payload }) => payload.request_id ?? payload.id);
      for (const shown of told.shown)
        expect(known, `a question that was shown, commit ${nth}`).toContain(shown);
      if (told.isAcknowledged) expect(settlements(next), `commit ${nth}`).toHaveLength(1);
      if (told.isOver) expect(count(next, "TurnEnded"), `commit ${nth}`).toBe(1);

      const scripts = count(next, "ToolCall") === 0 ? undefined : ["text: Red it is."];
      const set = served(next, scripts, { resume: "now" });
      const { client, found } = await person(set);
      if (count(next, "TurnOpened") > 0) {
        if (found.pending.length > 0) expect(known).toContain(found.pending[0]);
        await expect.poll(() => count(next, "TurnEnded"), { message: `commit ${nth}` }).toBe(1);
      }
      client.close();
      await set.server.close();
      expect(settlements(next).length, `commit ${nth}`).toBeLessThanOrEqual(1);
    }
  });
});

test("a process whose session another one has taken acknowledges nothing more, and says why", async () => {
  const store = new MemoryStore();
  const set = served(store);
  const { client, closed } = await meetExtended(set, { sessionId: id });
  void client.call("prompt", { user_input: "go" });
  const asked = await client.asked("QuestionRequest");
  const before = records(store).length;
  await store.take(id, { isForced: true });
  const replies: unknown[] = [];
  void client.answer(asked, byRed).then(
    (reply) => replies.push(reply),
    () => {},
  );
  await closed;
  expect(replies).toEqual([]);
  expect(records(store)).toHaveLength(before);
  expect(settlements(store)).toEqual([]);
});

test("a session that a process has is refused to the next one, until it is given back", async () => {
  const store = new MemoryStore();
  const options = { log: detailedLog(), clock: systemClock };
  const { journal } = await openStored(await store.take(id), options);
  await expect(store.take(id)).rejects.toThrow("another process has session");
  await journal.close();
  await (await openStored(await store.take(id), options)).journal.close();
});

test("records of a later version are refused, and their session is given back (P-DUR-10)", async () => {
  const store = new MemoryStore();
  const opening = { generation: 7, process: 1, version: 3 };
  const message = { type: "SessionOpened", payload: opening };
  store.change(id, { lines: [JSON.stringify({ timestamp: 1, message })] });
  const opened = async () => openStored(await store.take(id), { log: detailedLog(), clock: systemClock });
  await expect(opened()).rejects.toThrow(LocalError);
  await expect(opened()).rejects.toThrow("has records of version 3");
});

test("a store that is away for ten seconds is asked nothing new, and all is kept once it is back", async () => {
  const store = new MemoryStore();
  const clock = drivenClock();
  let isAway = false;
  let tries = 0;
  store.strike = () => {
    if (isAway) tries += 1;
    if (isAway) throw new Error("the engine is away");
  };
  const away = deferred();
  const refused: unknown[] = [];
  const set = scenario([], {
    keep: store.keep({ log: detailedLog(), clock }),
    async run() {
      isAway = true;
      const one = question();
      wireSend(one);
      await away.promise;
      const other = question();
      wireSend(other);
      await other.wait().catch(({ outcome }) => refused.push(outcome));
      await one.wait();
    },
  });
  const { client } = await meetExtended(set, { sessionId: id });
  const prompt = client.call("prompt", { user_input: "go" });
  const isLongAway = () => {
    clock.advance(1_000);
    return tries > 4 && clock.now() > 15_000;
  };
  await expect.poll(isLongAway).toBe(true);
  expect(client.requests()).toEqual([]);
  away.resolve();
  await expect.poll(() => refused).toMatchObject([{ status: "unavailable", reason: "not_kept" }]);
  isAway = false;
  clock.advance(5_000);
  await client.answer(await client.asked("QuestionRequest"), { items, answer_id: "mine" });
  expect((await prompt).result).toEqual({ status: "finished" });
  expect(settlements(store)).toMatchObject([{ payload: { outcome: { status: "answered" } } }]);
});

test("what a store that is away cannot keep is refused at once, ahead of all that waits for it (P-DUR-6)", async () => {
  const store = new MemoryStore();
  const clock = drivenClock();
  let isAway = false;
  let tries = 0;
  store.strike = () => {
    if (isAway) tries += 1;
    if (isAway) throw new Error("the engine is away");
  };
  const set = served(store, undefined, { clock, log: detailedLog(), attendance: "hold" });
  const { client, session } = await meetExtended(set, { sessionId: id });
  const prompt = client.call("prompt", { user_input: "go" });
  const asked = await client.asked("QuestionRequest");
  isAway = true;
  session.planMode = true;
  // Nobody asks for this, but the next message waits for all of it.
  const waiting = client.call("ask", { key: "early", questions: [order[0]], wait: false });
  const isLongAway = () => {
    clock.advance(1_000);
    return tries > 4 && clock.now() > 15_000;
  };
  await expect.poll(isLongAway).toBe(true);
  expect((await client.answer(asked, byRed)).error).toMatchObject({
    code: -32020,
    data: { limit: "journal" },
  });
  const { result } = await client.call("ask", { key: "late", questions: [order[0]], wait: false });
  expect(result?.outcome).toMatchObject({ status: "unavailable", reason: "not_kept" });
  // The same answer counts once the store is back: nothing of the refusal stayed.
  isAway = false;
  const goesOn = () => {
    clock.advance(5_000);
    return store.rows(id).lines.some((line) => line.includes('"key":"early"'));
  };
  await expect.poll(goesOn).toBe(true);
  expect((await waiting).result).toMatchObject({ request_id: expect.any(String) });
  expect((await client.answer(asked, byRed)).error).toBeUndefined();
  expect((await prompt).result).toEqual({ status: "finished" });
  await set.server.close();
});

test("a commit without a reply is tried again after 30 s, and what it keeps is kept once", async () => {
  const store = new MemoryStore();
  const clock = drivenClock();
  const silent: StoredCommit[] = [];
  store.strike = (at, commit) => {
    if (at === "before" || silent.length > 0 || commit.lines.length < 3) return;
    silent.push(commit);
    return new Promise(() => {});
  };
  const log = detailedLog();
  const set = served(store, undefined, { clock, log });
  const { client } = await meetExtended(set, { sessionId: id });
  const prompt = client.call("prompt", { user_input: "go" });
  await expect.poll(() => silent.length).toBe(1);
  clock.advance(30_000);
  clock.advance(50);
  const retried = () => {
    clock.advance(50);
    return log.told.map(({ text }) => text);
  };
  await expect.poll(retried).toEqual(["it cannot be written; it is tried again", "it is written again"]);
  await client.answer(await client.asked("QuestionRequest"), byRed);
  expect((await prompt).result).toEqual({ status: "finished" });
  await set.server.close();
  expect([count(store, "TurnOpened"), settlements(store).length]).toEqual([1, 1]);
});

test("what is not committed is bounded: lines over 16 Mi are refused, and the session goes on with the next", async () => {
  const store = new MemoryStore();
  const held: StoredCommit[] = [];
  let letGo = () => {};
  const open = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  store.strike = async (at, commit) => {
    if (at === "before") held.push(commit);
    await open;
  };
  const log = detailedLog();
  const { journal } = await openStored(await store.take(id), { log, clock: systemClock });
  const value = "x".repeat(1024 * 1024);
  const kept = Array.from({ length: 20 }, (_, n) => journal.onceDone("t", `k${n}`, value));
  expect(kept.filter((isKept) => !isKept)).toHaveLength(5);
  expect(log.told.map(({ text }) => text)).toEqual(["it cannot be written; the session goes on"]);
  letGo();
  await journal.synced();
  expect(journal.onceDone("t", "last", value)).toBe(true);
  await journal.close();
  expect(count(store, "OnceDone")).toBe(16);
});
