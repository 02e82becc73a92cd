import type { Duplex } from "node:stream";
import { closeCodes } from "@askwire/protocol";
import type { WebSocket } from "ws";
import { FrameWalk } from "./frame-walk.js";

/** A bound over the connections of a gateway: how much they hold of messages that have not ended (P-LIM-6). */
export interface UnfinishedMessages {
  /** Counts the bytes that a connection holds, until it closes. */
  watch(webSocket: WebSocket, stream: Duplex): void;
}

interface Watched {
  readonly webSocket: WebSocket;
  readonly stream: Duplex;
  readonly walk: FrameWalk;
}

/**
 * Bounds the parts of unfinished messages, which `ws` keeps up to `maxPayload` for each connection. If all connections
 * together are over the limit, the largest is closed with 1013.
 *
 * @param limit in bytes of memory. A chunk and a frame count with their overhead.
 */
export function boundUnfinished(limit: number): UnfinishedMessages {
  const all = new Set<Watched>();
  let total = 0;
  // The closing connection, which holds its memory to the end. At most one is awaited.
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
    // Further input is thrown away, so that the client can say goodbye.
    worst.stream.removeAllListeners("data").resume().end();
  }

  return {
    watch(webSocket, stream) {
      const watched = { webSocket, stream, walk: new FrameWalk() };
      all.add(watched);
      // Comes once: what `once` keeps in addition are 180 bytes for each connection.
      webSocket.on("close", () => {
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
