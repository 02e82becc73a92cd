import { once } from "node:events";
import { PassThrough, Writable } from "node:stream";
import { describe, expect, test } from "vitest";
import { framedChannel, type LineChannelOptions, lineChannel } from "../src/node/index.js";
import { turns } from "./raw-channel.js";

function connect(options: LineChannelOptions = {}, over = lineChannel) {
  const input = new PassThrough();
  const output = new PassThrough();
  const seen: unknown[] = [];
  const channel = over(input, output, options);
  channel.listen({
    message: (text) => void seen.push(text),
    oversized: (limit) => void seen.push(limit),
    unreadable: (problem) => void seen.push(problem),
    closed: (cause) => void seen.push(cause ?? "closed"),
  });
  return { input, output, seen, channel };
}

describe("messages over a pair of streams", () => {
  test("each message over a pair of streams is one line, in order, and nothing else is written (P-FRM-1)", async () => {
    const { output, channel } = connect();
    for (const text of ['{"a":1}', '{"b":"ü"}', "{}"]) channel.send(text);
    await turns();
    expect(String(output.read())).toBe('{"a":1}\n{"b":"ü"}\n{}\n');
  });

  test("messages of a callback and of the promises that it leads to leave in one write", async () => {
    const writes: string[] = [];
    const output = new Writable({
      write(chunk, _encoding, done) {
        writes.push(String(chunk));
        done();
      },
    });
    const input = new PassThrough();
    const channel = lineChannel(input, output);
    channel.listen({
      async message() {
        channel.send('{"result":1}');
        await Promise.resolve().then(() => {});
        channel.send('{"method":"next"}');
      },
      oversized() {},
      closed() {},
    });
    await turns();
    setImmediate(() => input.write("{}\n"));
    await turns(5);
    expect(writes).toEqual(['{"result":1}\n{"method":"next"}\n']);
  });

  test("the last line counts without its line feed, then the end is reported once (P-FRM-2)", async () => {
    const { input, seen, channel } = connect();
    input.write("{}\n");
    input.end('{"a":1}');
    await turns(5);
    channel.close();
    expect(seen).toEqual(["{}", '{"a":1}', "closed"]);
  });

  test.each([
    ["lines", "{}\n", lineChannel],
    ["Content-Length framing", "Content-Length: 2\r\n\r\n{}", framedChannel],
    ["lines where the first bytes tell", "{}\n", framedChannel],
  ])(
    "the first message is delivered once, also if its reader fails: %s (P-FRM-7)",
    async (_, bytes, over) => {
      const input = new PassThrough();
      const seen: string[] = [];
      over(input, new PassThrough()).listen({
        message(text) {
          seen.push(text);
          throw new Error("the reader failed");
        },
        oversized: (limit) => void seen.push(String(limit)),
        closed: () => void seen.push("closed"),
      });
      expect(() => input.emit("data", Buffer.from(bytes))).toThrow("the reader failed");
      input.end();
      await turns(5);
      expect(seen).toEqual(["{}", "closed"]);
    },
  );

  test("a line over the limit is reported with the limit, and the next one comes (P-LIM-2)", async () => {
    const { input, seen } = connect({ inboundBytes: 5 });
    input.write('{"too":"long"}\n{}\n');
    await turns();
    expect(seen).toEqual([5, "{}"]);
  });

  test("an error of either stream is the cause of the end", async () => {
    for (const side of ["input", "output"] as const) {
      const connection = connect();
      const cause = new Error("the pipe");
      connection[side].destroy(cause);
      await turns();
      expect(connection.seen).toEqual([cause]);
    }
  });

  test("closing writes what was sent, ends the output and reports the end once", async () => {
    const { output, seen, channel } = connect();
    const chunks: Buffer[] = [];
    output.on("data", (chunk: Buffer) => chunks.push(chunk));
    channel.send("{}");
    channel.close();
    channel.close();
    channel.send("late");
    await turns(5);
    expect(Buffer.concat(chunks).toString()).toBe("{}\n");
    expect(output.writableEnded).toBe(true);
    expect(seen).toEqual(["closed"]);
  });

  test.each([
    ["a little waits", 9],
    ["more waits than the stream likes to hold", 100_000],
  ])("a wait for room ends when all was sent, and when the connection ends: %s", async (_, size) => {
    let take: () => void = () => {};
    const slow = new Writable({
      write: (_chunk, _encoding, done) => {
        take = done;
      },
    });
    const channel = lineChannel(new PassThrough(), slow);
    const told: string[] = [];
    const wait = (bytes: number, what: string) => void channel.drained(bytes).then(() => told.push(what));
    channel.listen({ message() {}, oversized() {}, closed() {} });
    await channel.drained(0);
    channel.send("x".repeat(size));
    wait(0, "sent");
    wait(size + 1, "little enough");
    await turns();
    expect(told).toEqual(["little enough"]);
    while (slow.writableLength > 0 || told.length === 1) {
      take();
      await turns(1);
    }
    expect(told).toEqual(["little enough", "sent"]);
    channel.send("x".repeat(size));
    wait(0, "closed");
    channel.close();
    await turns();
    expect(told).toEqual(["little enough", "sent", "closed"]);
  });

  test.each([
    ["many short messages", 10],
    ["a long one", 5000],
  ])("a side that reads nothing is given up at the limit: %s (P-LIM-5)", async (_, length) => {
    const stuck = new Writable({ write() {} });
    const channel = lineChannel(new PassThrough(), stuck, { unsentBytes: 1000 });
    const causes: unknown[] = [];
    channel.listen({ message() {}, oversized() {}, closed: (cause) => void causes.push(cause) });
    for (let sent = 0; sent < 200 && causes.length === 0; sent++) {
      channel.send("x".repeat(length));
      await turns(1);
    }
    expect(causes).toEqual([
      expect.objectContaining({ code: "CLOSED", message: expect.stringContaining("1000 bytes") }),
    ]);
    expect(stuck.destroyed).toBe(true);
    await channel.drained(0);
  });
});

describe("a stream whose first bytes tell its framing", () => {
  const framed = (text: string) => `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
  const detecting = (options?: LineChannelOptions) => connect(options, framedChannel);

  test("a stream is answered with Content-Length where it begins so (P-FRM-7)", async () => {
    const { input, output, seen, channel } = detecting();
    for (const piece of ["con", "tent-length: 2\r\n\r\n{}", framed('{"ü":1}')]) input.write(piece);
    await turns();
    for (const text of ['{"b":"ü"}', "{}"]) channel.send(text);
    await turns();
    expect(seen).toEqual(["{}", '{"ü":1}']);
    expect(String(output.read())).toBe(framed('{"b":"ü"}') + framed("{}"));
  });

  test("a stream is lines where it begins otherwise, and stays so (P-FRM-1, P-FRM-7)", async () => {
    const { input, output, seen, channel } = detecting();
    input.write("{}\n");
    input.write("Content-Length: 2\n");
    await turns();
    channel.send("{}");
    await turns();
    expect(seen).toEqual(["{}", "Content-Length: 2"]);
    expect(String(output.read())).toBe("{}\n");
  });

  test("integers are ids in every framing, unless lines are to have strings alone, as Kimi's server has them (P-FRM-5)", async () => {
    const stringIdsAfter = async (first: string, options?: LineChannelOptions) => {
      const { input, channel } = detecting(options);
      input.write(first);
      await turns();
      return channel.stringIds;
    };
    expect(await stringIdsAfter("{}\n")).toBe(false);
    expect(await stringIdsAfter(framed("{}"))).toBe(false);
    expect(await stringIdsAfter("{}\n", { stringIds: true })).toBe(true);
    expect(await stringIdsAfter(framed("{}"), { stringIds: true })).toBe(false);
  });

  test("a stream is lines as long as nothing came, and where it ends too early to tell (P-FRM-7)", async () => {
    const { input, output, seen, channel } = detecting();
    channel.send("{}");
    await turns();
    expect(String(output.read())).toBe("{}\n");
    input.end("Conten");
    await turns(5);
    expect(seen).toEqual(["Conten", "closed"]);
  });

  test("a stream with Content-Length loses a body over the limit and nothing else (P-LIM-2)", async () => {
    const { input, seen } = detecting({ inboundBytes: 5 });
    input.write(framed('{"too":"long"}') + framed("{}"));
    await turns();
    expect(seen).toEqual([5, "{}"]);
  });

  test("a stream with Content-Length ends at a header that cannot be read, after an error about it was sent (P-FRM-8)", async () => {
    const { input, output, seen, channel } = detecting();
    channel.send("unsent");
    input.write(`${framed("{}")}no header\r\n\r\n${framed("{}")}`);
    await turns(5);
    expect(seen).toEqual(["{}", expect.stringContaining("not name: value"), "closed"]);
    expect(output.writableEnded).toBe(true);
    expect(String(output.read())).toBe("unsent\n");
  });
});

test("input that is held is not taken until each of the promises has settled", async () => {
  const { input, seen, channel } = connect();
  const first = new AbortController();
  const second = new AbortController();
  channel.hold?.(once(first.signal, "abort"));
  channel.hold?.(once(second.signal, "abort").then(() => Promise.reject(new Error("gone"))));
  input.write('"one"\n');
  await turns(5);
  first.abort();
  await turns(5);
  expect(seen).toEqual([]);
  second.abort();
  await turns(5);
  expect(seen).toEqual(['"one"']);
});
