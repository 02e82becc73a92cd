import { createServer } from "node:net";
import { linkedPair, type MessageChannel } from "@askwire/protocol";
import { expect, test } from "vitest";
import { connect } from "../src/index.js";
import { connectWebSocket } from "../src/websocket.js";

const reason = new Error("no longer wanted");

/** Resolves when a channel is closed from the other side. */
const closed = (channel: MessageChannel, heard: () => void = () => {}) =>
  new Promise<void>((resolve) => {
    channel.listen({ message: heard, oversized: heard, closed: () => resolve() });
  });

test("a signal that is aborted already ends connecting before anything is sent", async () => {
  const { left, right } = linkedPair();
  let messages = 0;
  const end = closed(right, () => {
    messages += 1;
  });
  await expect(connect(left, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  await end;
  expect(messages).toBe(0);
});

test("an abort while a server does not answer closes the channel and rejects with the reason", async () => {
  const { left, right } = linkedPair();
  const stop = new AbortController();
  const end = closed(right, () => stop.abort(reason));
  await expect(connect(left, { signal: stop.signal })).rejects.toBe(reason);
  await end;
});

test("an abort while a WebSocket is being opened closes the socket and rejects with the reason", async () => {
  const stop = new AbortController();
  let gone = () => {};
  const end = new Promise<void>((resolve) => {
    gone = resolve;
  });
  const silent = createServer((socket) => {
    socket.on("error", () => {}).once("close", gone);
    socket.once("data", () => stop.abort(reason));
  });
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const { port } = silent.address() as { port: number };
  const connecting = connectWebSocket(`ws://127.0.0.1:${port}/wire`, { signal: stop.signal });
  await expect(connecting).rejects.toBe(reason);
  await end;
  silent.close();
});
