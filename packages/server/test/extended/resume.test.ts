import { randomUUID } from "node:crypto";
import { getDefaultHighWaterMark, setDefaultHighWaterMark } from "node:stream";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Session, wireSend } from "../../src/index.js";
import { drivenClock } from "../driven-clock.js";
import type { Message } from "../raw-client.js";
import { callLine, scenario } from "../scenario.js";
import { until } from "../until.js";
import {
  approval,
  attached,
  everything,
  extended,
  items,
  meetExtended,
  question,
} from "./extended-client.js";
import { type ExtendedSocket, listeningExtended } from "./extended-gateway.js";

const weather = { name: "Weather", description: "Tells the weather.", parameters: { type: "object" } };
const sunny = { is_error: false, output: "sunny", message: "", display: [], extras: null };

/** An agent that asks one question, and ends when it is settled. */
const asksOnce = async () => {
  const request = question();
  wireSend(request);
  await request.wait();
};

const part = "x".repeat(64 * 1024);
const say = (session: Session, count: number) => {
  for (let n = 0; n < count; n += 1)
    session.broadcast({ type: "ContentPart", payload: { type: "text", text: part } });
};

const numbers = ({ received }: { received: readonly { method?: string; params?: unknown }[] }) =>
  received.filter(({ method }) => method === "event").map(({ params }) => (params as { seq: number }).seq);
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe("a client that has missed much and reads slowly (P-XAT-5, P-XAT-7)", () => {
  /** A session of which 12 MiB were told before anybody reads. */
  async function much(options: Parameters<typeof listeningExtended>[1] = {}) {
    const set = await listeningExtended([], options);
    const session = set.server.createSession();
    const first = await set.joinExtended(`/wire/${session.id}`);
    const { stream } = first.found;
    first.close();
    await first.ended;
    await until(() => session.connections === 0);
    say(session, 192);
    const back = (after_seq = 0) =>
      set.joinExtended(`/wire/${session.id}`, { session: { id: session.id, stream, after_seq } });
    return { ...set, session, stream, back };
  }

  test("a slow client is sent all that it missed at its own pace, then what happened meanwhile, and is not closed", async () => {
    const { back, session } = await much();
    const client = await back();
    client.socket.pause();
    const other = await back(192);
    say(session, 3);
    await other.settled();
    expect(numbers(client).length).toBeLessThan(192);
    client.socket.resume();
    await until(() => numbers(client).length === 195 || client.isClosed);
    expect(numbers(client)).toEqual(range(1, 195));
    expect(numbers(other)).toEqual(range(193, 195));
    await client.settled();
    expect(client.isClosed).toBe(false);
  });

  test("a slow client is asked new questions after what it missed, oldest first, and answers them", async () => {
    const asks = [question(), approval(), question()];
    const run = async () => {
      for (const request of asks) wireSend(request);
      for (const request of asks) await request.wait();
    };
    const { back, session } = await much({ run });
    const client = await back();
    client.socket.pause();
    const prompt = session.prompt("go");
    await until(() => session.pending.length === 3);
    client.socket.resume();
    await client.seen("QuestionRequest", 2);
    const requests = client.requests();
    expect(requests.map(({ id }) => id)).toEqual(asks.map(({ id }) => id));
    const [first] = requests as [Message];
    const { seq } = first.params as unknown as { seq: number };
    expect([seq, numbers(client)]).toEqual([194, range(1, 196)]);
    for (const request of requests) {
      const said = request.params?.type === "ApprovalRequest" ? { response: "approve" } : { items };
      expect((await client.answer(request, said)).error).toBeUndefined();
    }
    expect(await prompt).toEqual({ status: "finished" });
  });

  test("a slow client is told that the connection lives only when it has what it missed: a number ahead of it looks like a hole", async () => {
    const clock = drivenClock();
    const { back, session } = await much({ clock, listen: { heartbeatMs: 1e9 } });
    const client = await back();
    client.socket.pause();
    for (let n = 0; n < 4; n += 1) clock.advance(10_000);
    say(session, 1);
    client.socket.resume();
    await until(() => numbers(client).length === 193);
    for (let n = 0; n < 2; n += 1) clock.advance(15_000);
    await until(() => client.received.some(({ method }) => method === "alive"));
    const first = client.received.findIndex(({ method }) => method === "alive");
    expect(numbers({ received: client.received.slice(0, first) })).toEqual(range(1, 193));
    expect(client.received[first]?.params).toEqual({ seq: 193 });
  });

  test("a client is sent all that it missed at once where the runtime's streams hold more than a burst", async () => {
    const before = getDefaultHighWaterMark(false);
    setDefaultHighWaterMark(false, 64 * 1024);
    onTestFinished(() => setDefaultHighWaterMark(false, before));
    const { joinExtended, server } = await listeningExtended([], { clock: drivenClock() });
    const session = server.createSession();
    const first = await joinExtended(`/wire/${session.id}`);
    const short = { type: "text" as const, text: "x".repeat(4096) };
    for (let n = 0; n < 20; n += 1) session.broadcast({ type: "ContentPart", payload: short });
    const { stream } = first.found;
    const back = { id: session.id, stream, after_seq: 0 };
    const client = await joinExtended(`/wire/${session.id}`, { session: back });
    await until(() => numbers(client).length === 20);
    expect(numbers(client)).toEqual(range(1, 20));
  });

  test("a slow client that falls behind what is kept is closed with 4408; others continue", async () => {
    const { back, session } = await much({
      eventLog: { length: 13 * 1024 * 1024 },
      listen: { unsentBytes: 64 * 1024 * 1024 },
    });
    const other = await back(192);
    const client = await back();
    client.socket.pause();
    for (let round = 0; round < 16; round += 1) {
      say(session, 16);
      await other.settled();
    }
    client.socket.resume();
    expect(await client.ended).toMatch(/^4408/);
    const had = numbers(client);
    expect([had.length < 448, had]).toEqual([true, range(1, had.length)]);
    expect([other.isClosed, numbers(other)]).toEqual([false, range(193, 448)]);
    const again = await back(had.length);
    expect(again.found.reset).toBe(true);
  });
});

describe("a client that does not read (P-LIM-5, P-XAT-5)", () => {
  test("a client that does not read is closed with 4408, comes back, has every event once, and answers its question that stayed open", async () => {
    const set = await listeningExtended([], { run: asksOnce, listen: { unsentBytes: 256 * 1024 } });
    const session = set.server.createSession();
    const same = { shows: { ...everything, client_id: randomUUID() } };
    const address = `/wire/${session.id}`;
    const slow = await set.joinExtended(address, same);
    const fast = await set.joinExtended(address);
    const { prompt, asked } = await fast.begun("QuestionRequest");
    await slow.asked("QuestionRequest");
    slow.socket.pause();
    // At most 20 MB: more than the system keeps for a socket.
    for (let round = 0; round < 100 && session.connections === 2; round += 1) {
      say(session, 3);
      await fast.settled();
    }
    expect(session.pending.length).toBe(1);
    slow.socket.resume();
    expect(await slow.ended).toMatch(/^4408/);
    const had = numbers(slow);
    const { stream, id } = slow.found;
    const back = await set.joinExtended(address, { ...same, session: { id, stream, after_seq: had.at(-1) } });
    expect(back.found.pending).toEqual([asked.id]);
    await back.settled();
    expect([...had, ...numbers(back)]).toEqual(numbers(fast));
    expect(back.requests()).toEqual([]);
    expect((await back.answer(asked, { items })).error).toBeUndefined();
    expect((await prompt).result).toEqual({ status: "finished" });
    expect(fast.events("InteractionSettled")).toHaveLength(1);
  });
});

describe("a client that is cut off and comes back over real sockets (P-XAT-1, P-XAT-5, P-XAT-8)", () => {
  test("a client that is cut off and comes back has its tool call again under the same request_id, its turn by its id, and no event twice", async () => {
    const clock = drivenClock();
    const set = await listeningExtended([callLine("Weather", {}), "text: b"], { clock });
    const same = { shows: { ...everything, client_id: randomUUID() } };
    const one = await set.joinExtended("/wire", { ...same, external_tools: [weather] });
    void one.call("prompt", { user_input: "go", turn_id: "t" });
    const call = await one.seen("ToolCallRequest");
    one.socket.terminate();
    await one.ended;
    const session = set.server.sessions.get(one.found.id) as Session;
    await until(() => session.connections === 0);
    const seen = numbers(one);
    const named = { id: one.found.id, stream: one.found.stream, after_seq: seen.at(-1) };
    const two: ExtendedSocket = await set.joinExtended("/wire", { ...same, session: named });
    expect(two.found).toMatchObject({ state: "running", turn_id: "t", reset: false });
    expect(two.found.pending).toEqual([call.params?.payload.request_id]);
    const prompt = two.call("prompt", { user_input: "go", turn_id: "t" });
    const again = await two.seen("ToolCallRequest");
    expect(again.params?.payload).toEqual(call.params?.payload);
    two.reply(again, { tool_call_id: again.id, return_value: sunny });
    expect((await prompt).result).toEqual({ status: "finished" });
    const all = [...seen, ...numbers(two)];
    expect(all).toEqual(range(1, all.length));
    expect([...one.events("TurnBegin"), ...two.events("TurnBegin")]).toHaveLength(1);
  });

  test("an answer whose reply was lost is replied to again under its answer_id (P-XAN-5)", async () => {
    const set = await listeningExtended([], { run: asksOnce });
    const same = { shows: { ...everything, client_id: randomUUID() } };
    const one = await set.joinExtended("/wire", same);
    const { asked } = await one.begun("QuestionRequest");
    const session = set.server.sessions.get(one.found.id) as Session;
    const said = { items, answer_id: "a" };
    // Nothing more is read of this connection, so the reply is lost with it.
    one.socket.pause();
    void one.answer(asked, said);
    await until(() => session.pending.length === 0);
    one.socket.terminate();
    const named = { id: one.found.id, stream: one.found.stream, after_seq: one.events().at(-1)?.seq };
    const two = await set.joinExtended("/wire", { ...same, session: named });
    expect(two.found.pending).toEqual([]);
    const reply = await two.answer(asked, said);
    expect(reply.result?.outcome).toMatchObject({ status: "answered", by: "human" });
    await until(() => two.events("TurnEnd").length === 1);
    const [settled] = two.events("InteractionSettled");
    expect(reply.result?.outcome).toEqual(settled?.payload.outcome);
  });

  test("a client that names a stream of another session starts anew, and learns nothing of that session", async () => {
    const set = scenario([]);
    const [mine, theirs] = [set.server.createSession(), set.server.createSession()];
    const { found } = await meetExtended(set, { session: theirs });
    theirs.broadcast({ type: "ContentPart", payload: { type: "text", text: "secret" } });
    const liar = extended(set.connect({ session: mine }).client);
    const again = attached(
      await liar.introduce({ session: { id: mine.id, stream: found.stream, after_seq: 0 } }),
    );
    await liar.settled();
    expect([again.id, again.reset, liar.events()]).toEqual([mine.id, true, []]);
  });
});
