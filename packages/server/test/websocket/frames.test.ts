import { createServer as createHttpServer } from "node:http";
import type { Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Turn } from "../../src/index.js";
import { attachWebSocket } from "../../src/websocket.js";
import { drivenClock } from "../driven-clock.js";
import { scenario } from "../scenario.js";
import { until } from "../until.js";
import { clientsOf, openQuestion, red, type SocketClient } from "./gateway.js";

/** A client frame with the mask 0, so that its bytes stay as they are. */
function frame(opcode: number, body: string | Buffer, fin = true): Buffer {
  const bytes = Buffer.from(body);
  return Buffer.concat([Buffer.from([(fin ? 0x80 : 0) | opcode, 0x80 | bytes.length, 0, 0, 0, 0]), bytes]);
}

const [CONTINUATION, TEXT, CLOSE] = [0, 1, 8];

describe("a broken frame (P-FRM-6)", () => {
  test.each<[string, { inboundBytes?: number }, (socket: import("ws").WebSocket) => void, string]>([
    ["one over the limit", { inboundBytes: 1_000 }, (socket) => socket.send("x".repeat(1_001)), "1009"],
    [
      "fragments that are over the limit together",
      { inboundBytes: 1_000 },
      (socket) => {
        for (let n = 0; n < 11; n += 1) socket.send("x".repeat(100), { fin: false });
      },
      "1009",
    ],
    ["invalid UTF-8", {}, (socket) => socket.send(Buffer.from([0x7b, 0xff]), { binary: false }), "1007"],
    ["a binary one", {}, (socket) => socket.send(Buffer.from("{}")), "1003 text frames only"],
  ])(
    "a broken frame closes its own connection only, and the question before it stays: %s",
    async (_, listen, attack, code) => {
      const { join, session, one, two, unharmed } = await openQuestion({ listen });
      const third = await join(session);
      await third.seen("QuestionRequest");
      attack(third.socket);
      expect(await third.ended).toBe(code);
      expect([one.isClosed, two.isClosed]).toEqual([false, false]);
      await unharmed();
    },
  );

  test.each<[string, Buffer, number]>([
    ["no mask", Buffer.from([0x81, 0x02, 0x7b, 0x7d]), 1002],
    ["a reserved opcode", frame(3, "{}"), 1002],
    ["a reserved bit", Buffer.from([0xc1, 0x80, 0, 0, 0, 0]), 1002],
    ["a continuation of nothing", frame(CONTINUATION, "{}"), 1002],
    ["a length beyond all bounds", Buffer.from([0x81, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0]), 1009],
    ["a close with a code that is none", frame(CLOSE, Buffer.from([0, 1])), 1002],
    ["noise", Buffer.alloc(100_000, 0xa5), 1002],
  ])(
    "a broken frame of raw bytes closes its own connection only, and the question before it stays: %s",
    async (_, attack, code) => {
      const { bytes, session, unharmed } = await openQuestion();
      const third = await bytes(`/wire/${session.id}`);
      const answer = new Promise<Buffer>((resolve) => third.once("data", resolve));
      third.write(attack);
      const [head, , high, low] = await answer;
      expect([head, ((high ?? 0) << 8) | (low ?? 0)]).toEqual([0x88, code]);
      await unharmed();
    },
  );

  test("the input after a binary frame is not read", async () => {
    const { join, session, asked, unharmed } = await openQuestion();
    const third = await join(session);
    await third.seen("QuestionRequest");
    third.socket.send(Buffer.from("{}"));
    third.reply(asked, red(asked.id));
    await third.ended;
    await unharmed();
  });
});

test("a message in fragments, one of them cut inside a character, is one message", async () => {
  const { bytes, session, one, unharmed } = await openQuestion();
  const third = await bytes(`/wire/${session.id}`);
  const text = Buffer.from('{"jsonrpc":"2.0","id":"é","method":"nope"}');
  const cut = text.indexOf(0xa9);
  const answer = new Promise<Buffer>((resolve) => third.once("data", resolve));
  third.write(frame(TEXT, text.subarray(0, 3), false));
  third.write(frame(9, "ping in between"));
  third.write(frame(CONTINUATION, text.subarray(3, cut), false));
  third.write(frame(CONTINUATION, "", false));
  third.write(frame(CONTINUATION, text.subarray(cut)));
  let all = await answer;
  while (!all.includes("-32601")) {
    all = Buffer.concat([all, await new Promise<Buffer>((resolve) => third.once("data", resolve))]);
  }
  expect(all.toString()).toContain('"id":"é"');
  expect(one.isClosed).toBe(false);
  await unharmed();
});

describe("a flooding client", () => {
  test.each<[string, string, object]>([
    ["garbage", "{not json", { id: null, error: { code: -32700 } }],
    ["unknown methods", '{"jsonrpc":"2.0","id":"f","method":"nope"}', { id: "f", error: { code: -32601 } }],
    ["prompts", '{"id":"f","method":"prompt","params":{"user_input":"x"}}', { error: { code: -32000 } }],
    ["answers to nothing", '{"jsonrpc":"2.0","id":"f","result":{}}', {}],
  ])(
    "a flooding client is answered message by message, and holds nobody up: %s",
    async (what, text, reply) => {
      const { join, session, unharmed } = await openQuestion();
      const third = await join(session);
      await third.seen("QuestionRequest");
      const from = third.received.length;
      for (let n = 0; n < 2_000; n += 1) third.send(text);
      // Of the same kind, so answered after them.
      await third.call("prompt", { user_input: "x" });
      const answers = third.received.slice(from).filter(({ id }) => id === null || id === "f");
      expect(answers).toHaveLength(what === "answers to nothing" ? 0 : 2_000);
      for (const answer of answers) expect(answer).toMatchObject(reply);
      await unharmed();
    },
  );

  test("a flooding client that never reads is closed with 4408, and its waiting messages have a bound (P-LIM-5)", async () => {
    const { open, session, unharmed } = await openQuestion({ listen: { unsentBytes: 100_000 } });
    const third = await open(`/wire/${session.id}`);
    third.socket.pause();
    const text = `{"jsonrpc":"2.0","id":"${"f".repeat(10_000)}","method":"nope"}`;
    // More than both sides' sockets take.
    for (let n = 0; n < 2_000; n += 1) third.send(text);
    await until(() => third.socket.bufferedAmount === 0);
    third.socket.resume();
    expect(await third.ended).toBe("4408 too slow: reconnect");
    await unharmed();
  });
});

describe("a model that writes faster than its clients read (P-LIM-5)", () => {
  /** An agent that says 20 MiB, two clients or one, and the server's ends of their sockets. */
  async function streaming() {
    const pieces = 320;
    const progress = { said: 0 };
    const run = async (turn: Turn) => {
      for (; progress.said < pieces; progress.said += 1) {
        turn.say("x".repeat(64 * 1024));
        await turn.drained();
      }
    };
    const clock = drivenClock();
    const { server } = scenario([], { run });
    const http = createHttpServer();
    const sockets: Socket[] = [];
    http.on("connection", (socket) => sockets.push(socket));
    const gateway = attachWebSocket(server, http, { clock, heartbeatMs: 1e9 });
    await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
    onTestFinished(async () => {
      await gateway.close();
      http.close();
    });
    const unsent = (n: number) => sockets[n]?.writableLength ?? 0;
    return {
      ...clientsOf(server, gateway),
      session: server.createSession(),
      pieces,
      progress,
      clock,
      unsent,
    };
  }
  const textsOf = ({ received }: SocketClient) =>
    received.filter(({ params }) => params?.type === "ContentPart").length;

  test("a model is held up by a client that stopped reading for ten seconds, then continues without it", async () => {
    const { join, session, pieces, clock, unsent } = await streaming();
    const [one, two] = [await join(session), await join(session)];
    two.socket.pause();
    const prompt = one.call("prompt", { user_input: "go" });
    await until(() => unsent(0) === 0 && unsent(1) > 1024 * 1024);
    expect(unsent(1)).toBeLessThan(4 * 1024 * 1024);
    clock.advance(9_999);
    expect(textsOf(one)).toBeLessThan(pieces);
    clock.advance(1);
    expect((await prompt).result).toEqual({ status: "finished" });
    expect(textsOf(one)).toBe(pieces);
    // The client is gone for the session before it has read that.
    expect(session.connections).toBe(1);
    two.socket.resume();
    expect(await two.ended).toBe("4408 too slow: reconnect");
    expect(one.isClosed).toBe(false);
  });

  test("a model waits for a client that reads slowly, which gets everything", async () => {
    const { join, session, pieces, progress, clock, unsent } = await streaming();
    const client = await join(session);
    client.socket.pause();
    const prompt = client.call("prompt", { user_input: "go" });
    await until(() => unsent(0) > 1024 * 1024);
    const before = progress.said;
    clock.advance(9_999);
    client.socket.resume();
    expect((await prompt).result).toEqual({ status: "finished" });
    expect([before < pieces, textsOf(client)]).toEqual([true, pieces]);
    expect(clock.waiting).toBe(1);
  });
});

test("a client that vanished without a word is cut at the second ping; one that answers stays (P-SES-4)", async () => {
  const clock = drivenClock();
  const { join, session, one, two, unharmed } = await openQuestion({ listen: { clock } });
  const gone = await join(session, { autoPong: false });
  const pinged = [one, two, gone].map(
    ({ socket }) => new Promise<void>((resolve) => socket.once("ping", () => resolve())),
  );
  clock.advance(30_000);
  await Promise.all(pinged);
  // Their pongs went out before this.
  await Promise.all([one.settled(), two.settled()]);
  clock.advance(30_000);
  expect(await gone.ended).toBe("1006");
  await Promise.all([one.settled(), two.settled()]);
  expect([one.isClosed, two.isClosed]).toEqual([false, false]);
  await unharmed();
});

test("a connection that never speaks is asked nothing, costs no turn, and leaves without a trace", async () => {
  const { open, session, unharmed } = await openQuestion();
  const silent = await open(`/wire/${session.id}`);
  await unharmed();
  expect(silent.received).toEqual([]);
  silent.close();
  expect(await silent.ended).toMatch(/^1005/);
});

test("a client that is cut in the middle of a frame takes nothing with it", async () => {
  const { bytes, session, unharmed } = await openQuestion();
  const third = await bytes(`/wire/${session.id}`);
  third.write(frame(TEXT, '{"jsonrpc"', false));
  third.write(Buffer.from([0x80, 0xfe, 0xff]));
  third.resetAndDestroy();
  await unharmed();
});
