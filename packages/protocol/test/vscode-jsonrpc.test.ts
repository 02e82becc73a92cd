import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { PassThrough } from "node:stream";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  createMessageConnection,
  type Message,
  type MessageConnection,
  type MessageReader,
  type MessageWriter,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-jsonrpc/node";
import * as z from "zod/mini";
import { notification, request } from "../src/contract.js";
import { bindPeer, type Handlers, type Limits, LocalError } from "../src/index.js";
import {
  type JsonRpcTransport,
  jsonRpcChannel,
  LineMessageReader,
  LineMessageWriter,
} from "../src/vscode-jsonrpc/index.js";
import { turns } from "./raw-channel.js";

/** Both ends of a connection over the loopback. */
async function sockets(): Promise<[Socket, Socket]> {
  const door = createServer().listen(0, "127.0.0.1");
  await once(door, "listening");
  const accepted = once(door, "connection");
  const left = connect((door.address() as AddressInfo).port, "127.0.0.1");
  const [right] = (await accepted) as [Socket];
  door.close();
  onTestFinished(() => {
    for (const socket of [left, right]) socket.destroy();
  });
  return [left, right];
}

const framings = {
  "Content-Length headers": (socket: Socket) => ({
    reader: new StreamMessageReader(socket),
    writer: new StreamMessageWriter(socket),
  }),
  lines: (socket: Socket) => ({
    reader: new LineMessageReader(socket),
    writer: new LineMessageWriter(socket),
  }),
};

const methods = {
  ask: request(z.unknown(), z.unknown()),
  tell: notification(z.unknown()),
};

const bind = (transport: JsonRpcTransport, handlers: Handlers<typeof methods>, limits?: Partial<Limits>) =>
  bindPeer({
    channel: jsonRpcChannel(transport, limits),
    local: methods,
    remote: methods,
    handlers,
    answerMalformed: true,
    ...(limits && { limits }),
  });

const transports = Object.entries(framings).flatMap(([framing, raw]) => [
  { name: `a reader and a writer of ${framing}`, over: raw, raw },
  {
    name: `a connection over ${framing}`,
    over(socket: Socket): MessageConnection {
      const { reader, writer } = raw(socket);
      return createMessageConnection(reader, writer);
    },
    raw,
  },
]);

/** The other side of a connection under test, without an engine. */
function typist({ reader, writer }: { reader: MessageReader; writer: MessageWriter }) {
  const came: Record<string, unknown>[] = [];
  reader.listen((message) => void came.push({ ...message }));
  return {
    came,
    /** Waits for so many messages. */
    async read(count: number) {
      await expect.poll(() => came.length).toBe(count);
      return came;
    },
    type: (...messages: object[]) =>
      Promise.all(messages.map((message) => writer.write({ jsonrpc: "2.0", ...message } as Message))),
    end: () => writer.end(),
  };
}

describe.each(transports)("over $name", ({ over, raw }) => {
  test("requests go both ways at once, and errors keep their code, text and data (P-ENG-9)", async () => {
    const [left, right] = await sockets();
    const one = bind(over(left), { ask: (params) => ({ left: params }) });
    const other = bind(over(right), {
      ask: () => {
        throw new Error("boom");
      },
    });
    const [reply, failure] = await Promise.allSettled([
      other.request("ask", { n: 1 }),
      one.request("ask", { n: 2 }),
    ]);
    expect(reply).toEqual({ status: "fulfilled", value: { left: { n: 1 } } });
    expect(failure).toMatchObject({ reason: { code: -32603, message: "Error: boom", data: null } });
  });

  test("the reply to a request comes before what the request causes (P-ENG-3)", async () => {
    const [left, right] = await sockets();
    const peer = bind(over(left), {
      ask(params, call) {
        peer.notify("tell", { before: params });
        call.afterReply(() => peer.notify("tell", { after: params }));
        return { at: "once" };
      },
    });
    const { type, read } = typist(raw(right));
    await type(...["a", "b"].map((id) => ({ id, method: "ask", params: { id } })));
    expect((await read(6)).map(({ id, params, result }) => params ?? { id, result })).toEqual(
      ["a", "b"].flatMap((id) => [{ before: { id } }, { id, result: { at: "once" } }, { after: { id } }]),
    );
  });

  test("a response is handed on after what came before it, in the order of arrival (P-ENG-2)", async () => {
    const [left, right] = await sockets();
    const seen: unknown[] = [];
    const peer = bind(over(left), { tell: (params) => void seen.push(params) });
    const { type, read } = typist(raw(right));
    const replied = peer.request("ask", {}).then((reply) => seen.push(reply));
    const [{ id } = {}] = await read(1);
    await type(
      { method: "tell", params: { n: 1 } },
      { method: "tell", params: { n: 2 } },
      { id, result: { n: 3 } },
    );
    await replied;
    expect(seen).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  });

  test("all that was sent before the end arrives before it, a reply too (P-ENG-7)", async () => {
    const [left, right] = await sockets();
    let answer: (value: unknown) => void = () => {};
    let asked = false;
    const one = bind(over(left), {
      ask: () =>
        new Promise((resolve) => {
          asked = true;
          answer = resolve;
        }),
    });
    let told = 0;
    const other = bind(over(right), {
      tell: () => {
        told += 1;
      },
    });
    const reply = other.request("ask", {});
    await expect.poll(() => asked).toBe(true);
    for (let n = 0; n < 200; n += 1) one.notify("tell", {});
    answer("last words");
    await turns(1);
    one.close();
    expect(await reply).toBe("last words");
    expect(told).toBe(200);
    await other.closed;
    await expect(other.request("ask", {})).rejects.toMatchObject({ code: "CLOSED" });
  });

  test("calls that wait when the other side goes away end as closed, on both sides (P-ENG-7)", async () => {
    const [left, right] = await sockets();
    const never = () => new Promise(() => {});
    const peers = [left, right].map((socket) => bind(over(socket), { ask: never }));
    const waits = Promise.allSettled(peers.map((peer) => peer.request("ask", {})));
    right.destroy();
    expect(await waits).toMatchObject([{ reason: { code: "CLOSED" } }, { reason: { code: "CLOSED" } }]);
  });

  test("a request that the other side cancels is answered nevertheless", async () => {
    const [left, right] = await sockets();
    bind(over(left), {
      ask: (_params, call) => new Promise((resolve) => call.onCancel(() => resolve("late"))),
    });
    const { type, read } = typist(raw(right));
    await type({ id: 7, method: "ask", params: {} }, { method: "$/cancelRequest", params: { id: 7 } });
    expect(await read(1)).toMatchObject([{ id: 7, result: "late" }]);
  });

  test("a message that is nested too deep is answered with an error and has no effect (P-LIM-3)", async () => {
    const [left, right] = await sockets();
    let asked = 0;
    bind(over(left), {
      ask: () => {
        asked += 1;
        return "fine";
      },
    });
    const deep = (levels: number) => JSON.parse("[".repeat(levels) + "]".repeat(levels));
    const { type, read } = typist(raw(right));
    await type({ id: "deep", method: "ask", params: { deep: deep(100) } });
    await type({ id: "next", method: "ask", params: {} });
    expect((await read(2)).at(-1)).toMatchObject({ id: "next", result: "fine" });
    expect(asked).toBe(1);
  });

  test("a side that reads nothing is given up once more than the limit is unsent (P-LIM-5)", async () => {
    const [left] = await sockets();
    const peer = bind(over(left), {}, { unsentBytes: 1_000_000 });
    const text = "x".repeat(100_000);
    while (!peer.isClosed) {
      peer.notify("tell", { text });
      await turns(1);
    }
    expect(await peer.closed).toMatchObject({ code: "CLOSED", message: expect.stringContaining("unread") });
  });
});

describe("lines for the library's own connection", () => {
  test("lines for the library's own connection have texts as ids of its requests, which come back as its numbers (P-FRM-5)", async () => {
    const [left, right] = await sockets();
    const { reader, writer } = framings.lines(left);
    const connection = createMessageConnection(reader, writer);
    connection.listen();
    const lines = new PassThrough();
    right.on("data", (chunk) => lines.write(chunk));
    const reply = connection.sendRequest("ask", { n: 1 });
    const [line] = await once(lines.setEncoding("utf8"), "data");
    expect(line).toBe('{"jsonrpc":"2.0","id":"0","method":"ask","params":{"n":1}}\n');
    right.write('{"jsonrpc":"2.0","id":"0","result":"seen"}\n');
    expect(await reply).toBe("seen");
    connection.dispose();
  });

  test("lines for the library's own connection keep the ids of the other side unchanged, numbers of a text too", async () => {
    const [left, right] = await sockets();
    const { reader, writer } = framings.lines(left);
    const connection = createMessageConnection(reader, writer);
    connection.onRequest("ask", () => "yes");
    connection.listen();
    right.write('{"jsonrpc":"2.0","id":"5","method":"ask"}\n');
    const [line] = await once(right.setEncoding("utf8"), "data");
    expect(line).toBe('{"jsonrpc":"2.0","id":"5","result":"yes"}\n');
    connection.dispose();
  });

  test("lines for the library's own connection that are no messages are reported as errors, and the next one is read", async () => {
    const input = new PassThrough();
    const reader = new LineMessageReader(input, { inboundBytes: 40, nesting: 10 });
    const seen: unknown[] = [];
    reader.onError(({ message }) => void seen.push(message));
    reader.onClose(() => void seen.push("closed"));
    reader.listen((message) => {
      if ("throw" in message) throw new Error("the reader's user failed");
      seen.push(message);
    });
    input.end(`no JSON\n${"x".repeat(50)}\n${"[".repeat(11)}\n{"throw":1}\n{"a":1}`);
    await expect.poll(() => seen.at(-1)).toBe("closed");
    expect(seen).toEqual([
      expect.stringMatching(/^a line is no JSON: /),
      "a line of more than 40 bytes was skipped",
      "a line is nested too deep at character 11",
      "the reader's user failed",
      { a: 1 },
      "closed",
    ]);
  });
});

describe("a connection that its owner uses too", () => {
  test("a connection that its owner uses too keeps the owner's handlers, and the wire gets all other methods", async () => {
    const [left, right] = await sockets();
    const { reader, writer } = framings.lines(left);
    const connection = createMessageConnection(reader, writer);
    connection.onRequest("owners", () => "the owner's");
    connection.listen();
    bind(connection, { ask: () => "the wire's" });
    const { type, read } = typist(framings.lines(right));
    await type({ id: "a", method: "owners" }, { id: "b", method: "ask" }, { id: "c", method: "nobody's" });
    expect(await read(3)).toMatchObject([
      { id: "a", result: "the owner's" },
      { id: "b", result: "the wire's" },
      { id: "c", error: { code: -32601, message: "Unexpected method received: nobody's", data: null } },
    ]);
  });

  test("a connection that its owner uses too ends every wait when the owner disposes it (P-ENG-7)", async () => {
    const [left] = await sockets();
    const { reader, writer } = framings.lines(left);
    const connection = createMessageConnection(reader, writer);
    const peer = bind(connection, {});
    const reply = peer.request("ask", {});
    connection.dispose();
    await expect(reply).rejects.toBeInstanceOf(LocalError);
    expect(await peer.closed).toBeUndefined();
  });

  test("a connection that its owner uses too is closed for the wire that comes after its end", async () => {
    const [left] = await sockets();
    const { reader, writer } = framings.lines(left);
    const connection = createMessageConnection(reader, writer);
    connection.dispose();
    expect(bind(connection, {}).isClosed).toBe(true);
  });

  test("a connection that its owner uses too keeps no more than twice the limit of requests that nothing answers (P-ENG-10)", async () => {
    const [left, right] = await sockets();
    const { reader, writer } = framings.lines(left);
    bind(createMessageConnection(reader, writer), {}, { unansweredRequests: 2 });
    const { type, read } = typist(framings.lines(right));
    await type(...["a", "b", "c", "d", "e"].map((id) => ({ id, method: "tell", params: {} })));
    expect(await read(1)).toMatchObject([{ id: "e", error: { code: -32020 } }]);
  });
});
