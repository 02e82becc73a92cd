import { PassThrough, Writable } from "node:stream";
import { describe, expect, test } from "vitest";
import { lineChannel } from "../src/node/index.js";
import { turns } from "./raw-channel.js";

function connect(options: Parameters<typeof lineChannel>[2] = {}) {
  const input = new PassThrough();
  const output = new PassThrough();
  const seen: unknown[] = [];
  const channel = lineChannel(input, output, options);
  channel.listen({
    message: (text) => void seen.push(text),
    oversized: (limit) => void seen.push(limit),
    closed: (cause) => void seen.push(cause ?? "closed"),
  });
  return { input, output, seen, channel };
}

describe("messages over a pair of streams", () => {
  test("each is one line, in order, and nothing else is written [P-FRM-1]", async () => {
    const { output, channel } = connect();
    for (const text of ['{"a":1}', '{"b":"ü"}', "{}"]) channel.send(text);
    await turns();
    expect(String(output.read())).toBe('{"a":1}\n{"b":"ü"}\n{}\n');
  });

  test("the last line counts without its line feed, then the end is told once [P-FRM-2]", async () => {
    const { input, seen, channel } = connect();
    input.write("{}\n");
    input.end('{"a":1}');
    await turns(5);
    channel.close();
    expect(seen).toEqual(["{}", '{"a":1}', "closed"]);
  });

  test("a line over the limit is told with the limit, and the next one comes [P-LIM-2]", async () => {
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

  test("closing writes what was sent, ends the output and tells the end once", async () => {
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
  ])(
    "whoever waits for room is told when all was sent, and when the connection ends: %s",
    async (_, size) => {
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
    },
  );

  test.each([
    ["many short messages", 10],
    ["a long one", 5000],
  ])("a side that reads nothing is given up at the limit: %s [P-LIM-5]", async (_, length) => {
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
