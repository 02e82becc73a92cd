import { randomUUID } from "node:crypto";
import type { MessageChannel } from "@askwire/protocol";
import { linkedPair } from "@askwire/protocol/testing";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { deferred } from "../../../../scripts/deferred.js";
import { type AgentSession, type KeptSession, keepIn, type ServerOptions } from "../../src/index.js";
import { detailedLog, temporaryFolder } from "../journal-folder.js";
import { type Message, type RawClient, rawClient } from "../raw-client.js";
import { approvedTool, asks, callLine, scenario } from "../scenario.js";
import { stores } from "../stores.js";
import { until } from "../until.js";
import { asking, everything, extended, introduction, meetExtended, question } from "./extended-client.js";
import { listeningExtended } from "./extended-gateway.js";

const joins = { shows: { ...everything, history: true } };
const red = [{ question_id: "q1", selected: ["q1_o1"] }];

interface Marked {
  type: string;
  payload: Record<string, unknown>;
  seq?: number;
  replayed?: boolean;
}

const marked = ({ received }: { received: readonly Message[] }) =>
  received.filter(({ method }) => method === "event").map(({ params }) => params as never as Marked);
/** The part of the messages up to HistoryEnd, and the rest. */
function halves(client: { received: readonly Message[] }): { past: Marked[]; live: Marked[] } {
  const all = marked(client);
  const end = all.findIndex(({ type }) => type === "HistoryEnd");
  return { past: all.slice(0, end + 1), live: all.slice(end + 1) };
}
const types = (all: readonly Marked[]) => all.map(({ type }) => type);

/**
 * The conversation that a client was told, in a form that does not depend on when it came: pieces of text in one, each
 * request once where it was opened, without what a journal has not.
 */
function conversation(client: { received: readonly Message[] }): string[] {
  const told: string[] = [];
  const opened = new Set<unknown>();
  let words = "";
  const say = (text: string) => {
    if (words !== "") told.push(`says ${words}`);
    words = "";
    if (text !== "") told.push(text);
  };
  for (const { type, payload } of marked(client)) {
    if (type === "ContentPart") words += String(payload.text);
    else if (["QuestionRequest", "ApprovalRequest", "InteractionOpened"].includes(type)) {
      const id = payload.request_id ?? payload.id;
      if (!opened.has(id)) say(`opens ${id}`);
      opened.add(id);
    } else if (type === "InteractionSettled")
      say(`settles ${payload.request_id} ${(payload.outcome as { status: string }).status}`);
    else if (type === "ToolResult") say(`result ${payload.tool_call_id}`);
    else if (!["ApprovalResponse", "InteractionUpdated", "HistoryEnd", "HookTriggered"].includes(type))
      say(type);
  }
  say("");
  return told;
}

/** Sessions that are kept in a folder of the test. */
const keptSessions = (): ((id: string) => KeptSession) =>
  keepIn({ share: temporaryFolder(), workDir: "/work", log: detailedLog() });

const NOT_KEPT = "a session that is not kept";

const kinds: readonly (readonly [string, () => { options(): Partial<ServerOptions> }])[] = [
  ...stores.map(([where, make]) => [`a session that is kept ${where}`, make] as const),
  [NOT_KEPT, () => ({ options: () => ({}) })],
];

describe.each(kinds)("a client that joins %s while a turn runs (P-XHI-1)", (name, make) => {
  const isKept = name !== NOT_KEPT;

  /** A session in its second turn, which asks; the first turn asked too. */
  async function midTurn() {
    const set = scenario(
      ["text: Hm. \ntext: First.", `text: Second.\n${asks()}`, "text: Done."],
      make().options(),
    );
    const { client, session } = await meetExtended(set, { session: await set.server.openSession() });
    await client.call("prompt", { user_input: "one" });
    const prompt = client.call("prompt", { user_input: "two", turn_id: "t-2" });
    const asked = await client.asked("QuestionRequest");
    return { ...set, client, session, prompt, asked };
  }

  test("a client that joins is sent the history marked as replayed, then what is open, then what happens, and nothing twice", async () => {
    const { client, session, prompt, asked, connect } = await midTurn();
    const { client: late, found } = await meetExtended({ connect }, { session }, joins);
    expect(found).toMatchObject({ history: true, state: "waiting", turn_id: "t-2", reset: false });
    const open = await late.asked("QuestionRequest", isKept ? 2 : 1);
    await late.answer(open, { items: red });
    await prompt;
    await late.settled();
    const { past, live } = halves(late);
    expect(past.every(({ replayed, seq }) => replayed === true && seq === undefined)).toBe(true);
    expect(past.at(-1)?.payload).toEqual({ whole: true });
    expect(types(past).filter((type) => /Turn|Question|Opened|End/.test(type))).toEqual([
      "TurnBegin",
      "TurnEnd",
      "TurnBegin",
      isKept ? "QuestionRequest" : "InteractionOpened",
      "HistoryEnd",
    ]);
    expect(live[0]).toMatchObject({ type: "QuestionRequest", payload: { id: asked.id } });
    expect(live[0]).not.toHaveProperty("seq");
    expect(live.slice(1).map(({ seq }) => seq)).toEqual(
      live.slice(1).map((_, index) => (found.seq as number) + 1 + index),
    );
    expect(conversation(late)).toEqual(conversation(client));
  });

  test("a client that joins is sent the history between turns too, and in the end that it is complete", async () => {
    const { client, session, prompt, asked, connect } = await midTurn();
    await client.answer(asked, { items: red });
    await prompt;
    const { client: late, found } = await meetExtended({ connect }, { session }, joins);
    await late.seen("HistoryEnd");
    expect([found.state, conversation(late)]).toEqual(["idle", conversation(client)]);
  });

  test("a client that joins may answer, steer and cancel while it is sent the history, and not ask for a replay", async () => {
    const { session, prompt, connect } = await midTurn();
    const late = extended(connect({ session }).client);
    void late.introduce(joins);
    const replay = late.call("replay");
    const steer = late.call("steer", { user_input: "hm" });
    expect((await steer).result).toEqual({ status: "steered" });
    if (isKept) expect((await replay).error).toMatchObject({ code: -32000 });
    await late.call("cancel");
    expect((await prompt).result).toEqual({ status: "cancelled" });
  });

  test("a client that joins is sent no history without the capability, or where it names its stream", async () => {
    const { session, connect } = await midTurn();
    const { found } = await meetExtended({ connect }, { session });
    expect(found).not.toHaveProperty("history");
    const left = { id: session.id, stream: found.stream, after_seq: found.seq };
    const again = await meetExtended({ connect }, { session }, { ...joins, session: left });
    await again.client.settled();
    expect([again.found.reset, types(marked(again.client))]).toEqual([false, ["QuestionRequest"]]);
    expect(again.found).not.toHaveProperty("history");
  });

  test("a client is sent the history again where it missed too much, and told of the reset", async () => {
    const { client, session, connect } = await midTurn();
    const left = { id: session.id, stream: randomUUID(), after_seq: 3 };
    const { client: late, found } = await meetExtended({ connect }, { session }, { ...joins, session: left });
    expect(found).toMatchObject({ reset: true, history: true });
    await late.seen("HistoryEnd");
    expect(conversation(late)).toEqual(conversation(client));
  });

  test("a client is sent the history once, also when it calls initialize again", async () => {
    const { session, connect } = await midTurn();
    const { client: late } = await meetExtended({ connect }, { session }, joins);
    await late.seen("HistoryEnd");
    const { result } = await late.introduce(joins);
    expect(result?.session).not.toHaveProperty("history");
    await late.settled();
    expect(types(marked(late)).filter((type) => type === "HistoryEnd")).toHaveLength(1);
  });

  test.each([null, "yes", 1])("a capability that is %j is refused with -32602", async (history) => {
    const { session, connect } = await midTurn();
    const late = extended(connect({ session }).client);
    const { error } = await late.introduce({ shows: { ...everything, history } });
    expect(error?.code).toBe(-32602);
  });

  test("a client that joins in the middle of words has all of them once, and only those after the reply as they come", async () => {
    const set = scenario([], {
      async run(turn) {
        for (let n = 0; n < 30; n += 1) {
          turn.say(`${n} `);
          await new Promise(setImmediate);
        }
      },
      ...make().options(),
    });
    const session = await set.server.openSession();
    const { client } = await meetExtended(set, { session });
    const prompt = session.prompt("go");
    const late: RawClient[] = [];
    for (let n = 0; n < 8; n += 1) late.push((await meetExtended(set, { session }, joins)).client);
    await prompt;
    for (const each of late) {
      await each.seen("HistoryEnd");
      await each.settled();
      expect(conversation(each)).toEqual(conversation(client));
    }
    await set.server.close();
  });

  test("whatever the moment of joining, history and live events are what a client was told that was there all along", async () => {
    const store = make();
    const step = fc.constantFrom("say", "say", "ask", "approve", "status", "wait");
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 12 }),
        fc.array(fc.nat(40), { minLength: 1, maxLength: 3 }),
        async (steps, moments) => {
          const scripts = steps.map((what, n) => {
            if (what === "ask") return asks(undefined, `tc-${n}`);
            return what === "approve" ? callLine("Shell", {}, `tc-${n}`) : `text: ${n} \ntext: ${what} `;
          });
          let session: AgentSession | undefined;
          const shell = approvedTool("Shell");
          const set = scenario([...scripts.flatMap((script) => [script]), "text: end"], {
            tools: [shell],
            ...store.options(),
          });
          const made = await set.server.openSession();
          session = made;
          const { client } = await meetExtended(set, { session: made });
          const answerAll = async () => {
            for (let n = 0; ; n += 1) {
              await until(() => client.isClosed || client.requests().length > n);
              const asked = client.requests()[n];
              if (asked === undefined) return;
              if (n % 2 === 0) session.planMode = !session.planMode;
              await client.answer(
                asked,
                asked.params?.type === "QuestionRequest" ? { items: red } : { response: "approve" },
              );
            }
          };
          const answering = answerAll();
          const late: (RawClient & { received: readonly Message[] })[] = [];
          const join = async (moment: number) => {
            await until(() => marked(client).length >= moment || types(marked(client)).includes("TurnEnd"));
            late.push((await meetExtended(set, { session: made }, joins)).client);
          };
          const joining = moments.map(join);
          await client.call("prompt", { user_input: "go" });
          // A model that says nothing more than text ends its turn, so the rest of the steps are turns of their own.
          while (set.model.requests.length <= steps.length && !client.isClosed) {
            const { error } = await client.call("prompt", { user_input: "go on" });
            if (error !== undefined) break;
          }
          await Promise.all(joining);
          for (const each of late) {
            await each.seen("HistoryEnd");
            await each.settled();
          }
          await client.settled();
          const told = conversation(client);
          for (const each of late) expect(conversation(each)).toEqual(told);
          await set.server.close();
          await answering;
        },
      ),
      { numRuns: 25 },
    );
  });
});

describe("the history of a kept session (P-XHI-2)", () => {
  test("the history of a kept session begins with its first process, and ends where the attach does while the end of a turn is written", async () => {
    const keep = keptSessions();
    const id = "11111111-1111-4111-8111-111111111111";
    const first = scenario(["text: then"], { keep });
    const { client: before } = await meetExtended(first, { sessionId: id });
    await before.call("prompt", { user_input: "one" });
    await first.server.close();
    const { promise: slow, resolve: written } = deferred();
    let isWriting = false;
    const slowly = (session: string): KeptSession => {
      const kept = keep(session);
      const flush = () => {
        isWriting = true;
        return slow.then(() => kept.journal.flush());
      };
      return { ...kept, journal: { ...kept.journal, flush } };
    };
    const again = scenario(["text: now"], { keep: slowly });
    const session = again.server.createSession({ id });
    const { client } = await meetExtended(again, { session });
    const prompt = client.call("prompt", { user_input: "two" });
    await until(() => isWriting);
    session.planMode = true;
    const { client: late } = await meetExtended(again, { session }, joins);
    await late.seen("HistoryEnd");
    written();
    await prompt;
    await late.settled();
    expect(types(marked(late)).filter((type) => /Turn|Status|End/.test(type))).toEqual([
      "TurnBegin",
      "StatusUpdate",
      "TurnEnd",
      "TurnBegin",
      "StatusUpdate",
      "StatusUpdate",
      "HistoryEnd",
      "TurnEnd",
    ]);
    await again.server.close();
  });
});

describe("the turns in the history of a kept session (P-XTR-4)", () => {
  test("the ends of turns have their id, who asked, how they ended, and when they were recorded", async () => {
    const keep = keptSessions();
    const set = scenario(["text: then", "text: now"], { keep });
    const { client: first, session } = await meetExtended(set);
    await first.call("prompt", { user_input: "one", turn_id: "t-one" });
    const live = marked(first).filter(({ type }) => /Turn/.test(type));
    const { client: late } = await meetExtended(set, { session }, joins);
    await late.seen("HistoryEnd");
    const past = marked(late).filter(({ type }) => /Turn/.test(type));
    expect(past.map(({ payload: { at: _, ...payload }, type }) => ({ type, payload }))).toEqual(
      live.map(({ type, payload }) => ({ type, payload })),
    );
    const [begun, ended] = past.map(({ payload }) => new Date(String(payload.at)).toISOString());
    expect([begun, ended]).toEqual(past.map(({ payload }) => payload.at));
    expect((begun ?? "") <= (ended ?? "")).toBe(true);
    expect(live.some(({ payload }) => "at" in payload)).toBe(false);
    await set.server.close();
  });
});

describe("the history of a session that is not kept (P-XHI-2)", () => {
  test("the history of a session that is not kept says where its beginning has left the buffer, and where nobody kept it", async () => {
    const short = scenario(["text: a", "text: b"], { eventLog: { events: 5, length: 1e6 } });
    const { client, session } = await meetExtended(short);
    await client.call("prompt", { user_input: "one" });
    await client.call("prompt", { user_input: "two" });
    const { client: late } = await meetExtended(short, { session }, joins);
    expect((await late.seen("HistoryEnd")).params?.payload).toEqual({ whole: false });
    expect(types(halves(late).past)).toHaveLength(6);
    const base = scenario(["text: a", "text: b"]);
    const { client: first, session: begun } = await base.meet();
    await first.call("prompt", { user_input: "one" });
    const { client: other } = await meetExtended(base, { session: begun }, joins);
    expect((await other.seen("HistoryEnd")).params?.payload).toEqual({ whole: false });
  });

  test("the history of a new session that is not kept is whole and empty", async () => {
    const { client, found } = await meetExtended(scenario([]), {}, joins);
    await client.seen("HistoryEnd");
    expect([found.seq, marked(client)]).toEqual([
      0,
      [{ type: "HistoryEnd", payload: { whole: true }, replayed: true }],
    ]);
  });
});

describe("a long history (P-XHI-3)", () => {
  test.each(kinds)(
    "a long history of %s waits for a client that does not read, holds up nobody, and is whole when it does",
    async (_name, make) => {
      const long = Array.from({ length: 20 }, () => `text: ${"x".repeat(100_000)}`).join("\n");
      const set = await listeningExtended(
        [long, long, long, `${long}\n${asks()}`, "text: end"],
        make().options(),
      );
      const client = await set.joinExtended(`/wire/${(await set.server.openSession()).id}`);
      for (let turn = 1; turn <= 3; turn += 1) await client.call("prompt", { user_input: "go" });
      const { prompt, asked } = await client.begun("QuestionRequest");
      const late = await set.openExtended(`/wire/${client.found.id}`);
      late.socket.pause();
      void late.call("initialize", introduction(joins));
      await client.answer(asked, { items: red });
      expect((await prompt).result).toEqual({ status: "finished" });
      expect(late.isClosed).toBe(false);
      late.socket.resume();
      await late.seen("HistoryEnd");
      await late.settled();
      expect(conversation(late)).toEqual(conversation(client));
    },
  );

  test.each(kinds)(
    "a long history of %s is sent no further ahead of its reader than 64 Ki and one message",
    async (_name, make) => {
      const long = Array.from({ length: 8 }, () => `text: ${"x".repeat(100_000)}`).join("\n");
      const set = scenario([long, long, long], make().options());
      const { client, session } = await meetExtended(set, { session: await set.server.openSession() });
      for (let turn = 1; turn <= 3; turn += 1) await client.call("prompt", { user_input: "go" });
      const { left, right } = linkedPair();
      let ahead = 0;
      const before: number[] = [];
      const slow: MessageChannel = {
        ...left,
        send(text) {
          before.push(ahead);
          ahead += text.length;
          left.send(text);
        },
        async drained() {
          await new Promise(setImmediate);
          ahead = 0;
        },
      };
      set.server.connect(slow, { session });
      const late = extended(rawClient(right));
      await late.introduce(joins);
      await late.seen("HistoryEnd");
      expect(conversation(late)).toEqual(conversation(client));
      expect(Math.max(...before)).toBeLessThanOrEqual(64 * 1024);
    },
  );

  test("a long history of a client that leaves in the middle of it ends there, and the session continues", async () => {
    const set = await listeningExtended([`text: ${"x".repeat(3_000_000)}\n${asks()}`, "text: end"], {
      keep: keptSessions(),
    });
    const client = await set.joinExtended(`/wire/${(await set.server.openSession()).id}`);
    const { prompt, asked } = await client.begun("QuestionRequest");
    const late = await set.openExtended(`/wire/${client.found.id}`);
    late.socket.pause();
    void late.call("initialize", introduction(joins)).catch(() => {});
    await until(() => set.server.sessions.get(client.found.id)?.connections === 2);
    late.socket.terminate();
    await until(() => set.server.sessions.get(client.found.id)?.connections === 1);
    await client.answer(asked, { items: red });
    expect((await prompt).result).toEqual({ status: "finished" });
  });

  test("a long history that cannot be read closes the connection, which may try again", async () => {
    const keep = keptSessions();
    const log = detailedLog();
    const broken = (id: string): KeptSession => {
      const kept = keep(id);
      return { ...kept, journal: { ...kept.journal, replay: () => Promise.reject(new Error("EIO")) } };
    };
    const set = asking(() => [question()], { keep: broken, log });
    const { client } = await meetExtended(set, {}, joins);
    await until(() => client.isClosed);
    expect(log.told.map(({ text }) => text)).toContain("the history could not be told");
    onTestFinished(() => set.server.close());
  });
});
