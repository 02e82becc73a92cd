import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { HeldMessages } from "../../src/transport/held-messages.js";
import { pipeFrames } from "../../src/transport/pipe.js";

const MEBIBYTE = 1024 * 1024;

/** Two ends of a connection. */
async function connection(): Promise<readonly [near: WebSocket, far: WebSocket]> {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await once(server, "listening");
  const near = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const [far] = (await once(server, "connection")) as [WebSocket];
  if (near.readyState !== near.OPEN) await once(near, "open");
  onTestFinished(() => {
    near.terminate();
    server.close();
  });
  return [near, far];
}

/** A client whose messages a front passes on to an owner, and back. */
async function piped() {
  const [client, front] = await connection();
  const [link, owner] = await connection();
  pipeFrames(front, link, new HeldMessages(front));
  front.resume();
  return { client, front, link, owner };
}

test("an owner waits for a client that does not read: the front holds little of what it sends, and all of it comes (P-NOD-2)", async () => {
  const { client, front, link, owner } = await piped();
  client.pause();
  const frame = "x".repeat(MEBIBYTE);
  const sent = 64;
  for (let nth = 0; nth < sent; nth += 1) owner.send(`${nth} ${frame}`);
  await expect.poll(() => link.isPaused).toBe(true);
  expect(front.bufferedAmount).toBeLessThan(4 * MEBIBYTE);
  expect(owner.bufferedAmount).toBeGreaterThan(MEBIBYTE);
  const nths: number[] = [];
  const all = new Promise<void>((resolve) =>
    client.on("message", (data) => {
      nths.push(Number.parseInt(String(data), 10));
      if (nths.length === sent) resolve();
    }),
  );
  client.resume();
  await all;
  expect(nths).toEqual(Array.from({ length: sent }, (_, nth) => nth));
});

test.each([
  ["the owner", 4408],
  ["the owner", 1012],
  ["the client", 1000],
  ["the client", 4401],
])("the other side of a pipe is told the code with which %s ends it, %i (P-NOD-2)", async (who, code) => {
  const { client, owner } = await piped();
  const [ends, hears] = who === "the owner" ? [owner, client] : [client, owner];
  ends.close(code);
  expect((await once(hears, "close"))[0]).toBe(code);
});

test("a client whose node is gone without a word is told to come again (P-NOD-2)", async () => {
  const { client, owner } = await piped();
  owner.terminate();
  expect((await once(client, "close"))[0]).toBe(1012);
});
