import { createServer as createHttpServer } from "node:http";
import type { Socket } from "node:net";
import * as fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { FrameWalk } from "../../src/transport/frame-walk.js";
import { attachWebSocket } from "../../src/websocket.js";
import { scenario } from "../scenario.js";
import { until } from "../until.js";
import { clientsOf, openQuestion, type SocketClient } from "./gateway.js";

/** Sends a part of a message, and resolves once the server has read it. */
async function sendPart({ socket }: SocketClient, part: string, fin = false): Promise<void> {
  socket.send(part, { fin });
  const read = new Promise((resolve) => socket.once("pong", resolve));
  socket.ping();
  await read;
}

const unknown = '{"jsonrpc":"2.0","id":"late","method":"nope"';

describe("unfinished messages of all connections together have a bound (P-LIM-6)", () => {
  const bounded = () => openQuestion({ listen: { unfinishedBytes: 400_000 } });

  test("where unfinished messages of all connections pass the bound, the one that holds most is closed with 1013; the others finish theirs", async () => {
    const { join, session, unharmed } = await bounded();
    const [small, other, large] = [await join(session), await join(session), await join(session)];
    await sendPart(small, unknown + " ".repeat(100_000));
    await sendPart(other, unknown + " ".repeat(120_000));
    await sendPart(large, unknown + " ".repeat(140_000));
    large.socket.send(" ".repeat(100_000), { fin: false });
    expect(await large.ended).toBe("1013 too much of unfinished messages: send it later");
    for (const client of [small, other]) {
      await sendPart(client, "}", true);
      expect(client.received.at(-1)).toMatchObject({ id: "late", error: { code: -32601 } });
    }
    await unharmed();
  });

  test("a finished message and a closed connection no longer hold anything", async () => {
    const { join, session, unharmed } = await bounded();
    for (let n = 0; n < 8; n += 1) {
      const client = await join(session);
      await sendPart(client, unknown + " ".repeat(200_000));
      if (n % 2 === 0) await sendPart(client, "}", true);
      client.close();
      await client.ended;
    }
    await unharmed();
  });

  test("many tiny frames count with what they take in memory", async () => {
    const { join, session, unharmed } = await bounded();
    const client = await join(session);
    for (let n = 0; n < 3_000; n += 1) client.socket.send(" ", { fin: false });
    expect(await client.ended).toMatch(/^1013/);
    await unharmed();
  });

  test("pings within a message do not count", async () => {
    const { join, session, unharmed } = await bounded();
    const client = await join(session);
    await sendPart(client, unknown);
    for (let n = 0; n < 1_200; n += 1) {
      client.socket.ping(Buffer.alloc(125));
      await new Promise((resolve) => client.socket.once("pong", resolve));
    }
    client.socket.send("}");
    await client.settled();
    expect(client.received.find(({ id }) => id === "late")).toMatchObject({ error: { code: -32601 } });
    await unharmed();
  });

  test("a connection without the token is read no further than its goodbye", async () => {
    const http = createHttpServer();
    const sockets: Socket[] = [];
    http.on("connection", (socket) => sockets.push(socket));
    const { server } = scenario([]);
    const gateway = attachWebSocket(server, http);
    await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
    onTestFinished(async () => {
      await gateway.close();
      http.close();
    });
    const stranger = await clientsOf(server, gateway).bytes("/wire", "");
    const half = Buffer.alloc(20_000_000);
    half.set([0x81, 0xff, 0, 0, 0, 0, 0x02, 0, 0, 0]);
    stranger.write(half);
    await until(() => sockets[0]?.isPaused() === true);
    expect(sockets[0]?.bytesRead).toBeLessThan(1_000_000);
  });
});

describe("the frames of a connection are followed", () => {
  /** A frame with a mask, as clients send it. */
  function frame(opcode: number, length: number, fin: boolean): Buffer {
    const size = length < 126 ? [length] : length < 65_536 ? [126, length >> 8, length & 0xff] : [127];
    const long = Buffer.alloc(size[0] === 127 ? 8 : 0);
    if (long.length > 0) long.writeBigUInt64BE(BigInt(length));
    const [first = 0, ...rest] = size;
    const header = [(fin ? 0x80 : 0) | opcode, 0x80 | first, ...rest];
    return Buffer.concat([Buffer.from(header), long, Buffer.alloc(4 + length, 0xff)]);
  }

  const message = fc.record({
    parts: fc.array(fc.oneof(fc.nat(300), fc.integer({ min: 65_530, max: 65_560 })), {
      minLength: 1,
      maxLength: 4,
    }),
    pings: fc.array(fc.nat(125), { maxLength: 2 }),
  });

  test("however frames are cut, nothing of them is held between messages, and all of one within", () => {
    void fc.assert(
      fc.property(
        fc.array(message, { minLength: 1, maxLength: 3 }),
        fc.array(fc.integer({ min: 1, max: 70_000 }), { minLength: 1 }),
        (messages, cuts) => {
          const walk = new FrameWalk();
          let n = 0;
          /** Reads bytes in pieces of the given sizes. */
          const read = (bytes: Buffer) => {
            for (let at = 0; at < bytes.length; n += 1) {
              const size = cuts[n % cuts.length] as number;
              walk.read(bytes.subarray(at, at + size));
              at += size;
            }
          };
          for (const { parts, pings } of messages) {
            let sent = 0;
            for (const [index, length] of parts.entries()) {
              const last = index === parts.length - 1;
              const whole = frame(index === 0 ? 1 : 0, length, last);
              read(whole.subarray(0, -1));
              if (length > 0) expect(walk.held).toBeGreaterThanOrEqual(sent + length - 1);
              read(whole.subarray(-1));
              sent += length;
              if (!last) for (const ping of pings) read(frame(9, ping, true));
            }
            expect(walk.held).toBe(0);
          }
        },
      ),
      { numRuns: 100 },
    );
  });
});
