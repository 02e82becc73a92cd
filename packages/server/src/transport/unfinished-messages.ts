import type { Duplex } from "node:stream";
import { closeCodes } from "@askwire/protocol";
import type { WebSocket } from "ws";
import { createFrameWalk, type FrameWalk } from "./frame-walk.js";

/** A bound over the connections of a gateway: how much they hold of messages that have not ended (P-LIM-6). */
export interface UnfinishedMessages {
  /** Counts what a connection holds until it closes. */
  watch(webSocket: WebSocket, stream: Duplex): void;
}

interface Watched {
  readonly webSocket: WebSocket;
  readonly stream: Duplex;
  readonly walk: FrameWalk;
}

/**
 * `ws` keeps the parts of a message until its last frame, up to `maxPayload` for each connection. Where all connections
 * together hold more than the limit, the one that holds most is closed with 1013.
 *
 * @param limit in bytes of memory: a chunk and a frame count with what they take beside their content.
 */
export function boundUnfinished(limit: number): UnfinishedMessages {
  const all = new Set<Watched>();
  let total = 0;
  // It holds its memory until it is gone: at most one such connection is waited for.
  let leaving: WebSocket | undefined;

  function forget(watched: Watched): void {
    if (all.delete(watched)) total -= watched.walk.held;
  }

  function closeWorst(): void {
    const [worst] = [...all].sort((one, other) => other.walk.held - one.walk.held);
    if (worst === undefined) return;
    forget(worst);
    leaving?.terminate();
    leaving = worst.webSocket;
    leaving.close(closeCodes.TryAgain, "too much of unfinished messages: send it later");
    // What still comes is thrown away, so that the client can say goodbye.
    worst.stream.removeAllListeners("data").resume().end();
  }

  return {
    watch(webSocket, stream) {
      const watched = { webSocket, stream, walk: createFrameWalk() };
      all.add(watched);
      webSocket.once("close", () => {
        forget(watched);
        if (leaving === webSocket) leaving = undefined;
      });
      stream.on("data", (chunk: Buffer) => {
        if (!all.has(watched)) return;
        const before = watched.walk.held;
        watched.walk.read(chunk);
        total += watched.walk.held - before;
        while (total > limit) closeWorst();
      });
    },
  };
}
