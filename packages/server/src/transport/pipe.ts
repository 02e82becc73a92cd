import { closeCodes } from "@askwire/protocol";
import type { WebSocket } from "ws";
import type { HeldMessages } from "./held-messages.js";

/** Bytes that wait for one side, from which on the other one is read no further until they are gone. */
const MOST_WAITING = 1024 * 1024;

/**
 * Passes all messages of a client on to the node of its session, and back, in their order and unread (P-NOD-2). A side
 * that does not read makes the other one wait. The end of one side is the end of the other, with its code; a node that is
 * gone is told the client as a restart.
 *
 * @param held the messages that the client has sent already.
 */
export function pipeFrames(client: WebSocket, node: WebSocket, held: HeldMessages): void {
  for (const { data, isBinary } of held.take()) node.send(data, { binary: isBinary });
  forward(client, node);
  forward(node, client);
  client.on("close", (code, reason) => end(node, code, reason, () => node.terminate()));
  node.on("close", (code, reason) =>
    end(client, code, reason, () =>
      client.close(closeCodes.Restart, "the session's node is gone: come again"),
    ),
  );
}

function forward(from: WebSocket, to: WebSocket): void {
  const written = () => {
    if (from.isPaused && to.bufferedAmount <= MOST_WAITING) from.resume();
  };
  from.on("message", (data, isBinary) => {
    if (to.readyState !== to.OPEN) return;
    to.send(data, { binary: isBinary }, written);
    if (to.bufferedAmount > MOST_WAITING) from.pause();
  });
}

/** The code of a connection that ended without a goodbye, and of one whose goodbye had none. */
const LOST = 1006;
const WITHOUT_CODE = 1005;

function end(other: WebSocket, code: number, reason: Buffer, lost: () => void): void {
  if (other.isPaused) other.resume();
  if (code === LOST) lost();
  else if (code === WITHOUT_CODE) other.close();
  else other.close(code, reason);
}
