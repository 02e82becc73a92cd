import type { Socket } from "node:net";
import { type ChannelSink, closeCodes, type MessageChannel } from "@askwire/protocol";
import { afterPromises } from "@askwire/protocol/node";
import type { RawData, WebSocket } from "ws";
import type { Clock } from "../runtime/clock.js";

/** The time for which a stream waits for a client that does not read, in milliseconds. */
const PATIENCE_MS = 10_000;

/**
 * Makes a channel of one message a text frame over a WebSocket of `ws` (P-FRM-6). A binary frame closes the connection
 * with 1003. The library closes it for bad UTF-8 (1007) and oversized frames (1009). A client that leaves too much
 * unread, or makes a stream wait for ten seconds, is closed with 4408. The channel then closes at once.
 *
 * @param stream the connection below, whose writes of one turn of the event loop are sent together.
 */
export function webSocketChannel(
  webSocket: WebSocket,
  stream: Socket,
  unsentBytes: number,
  clock: Clock,
): MessageChannel {
  let corked = false;
  let draining: Promise<void> | undefined;
  let goOn = () => {};
  let over = () => {};

  /** Closes the connection. Its goodbye stands behind all that is unread, and nobody waits for that. */
  function tooSlow(): void {
    webSocket.close(closeCodes.TooSlow, "too slow: reconnect");
    goOn();
    queueMicrotask(over);
  }

  function uncork(): void {
    corked = false;
    stream.uncork();
  }

  return {
    get bytesRead() {
      return stream.bytesRead;
    },
    send(text) {
      if (webSocket.readyState !== webSocket.OPEN) return;
      if (!corked) {
        corked = true;
        stream.cork();
        afterPromises(uncork);
      }
      webSocket.send(text);
      // More than this message alone waits: the other side does not read.
      if (webSocket.bufferedAmount > unsentBytes && webSocket.bufferedAmount > 2 * text.length + 16) {
        tooSlow();
      }
    },
    listen(sink: ChannelSink) {
      let failure: Error | undefined;
      let isOver = false;
      over = () => {
        if (isOver) return;
        isOver = true;
        webSocket.removeAllListeners("message");
        sink.closed(failure);
      };
      webSocket.on("message", (data: RawData, isBinary: boolean) => {
        if (!isBinary) return sink.message(data.toString());
        webSocket.removeAllListeners("message");
        webSocket.close(closeCodes.BinaryFrame, "text frames only");
      });
      webSocket.on("error", (error) => {
        failure = error;
      });
      webSocket.on("close", () => over());
    },
    close(code = closeCodes.Normal, reason = "") {
      webSocket.close(code, reason);
    },
    drained(bytes) {
      if (webSocket.readyState !== webSocket.OPEN || webSocket.bufferedAmount <= bytes)
        return Promise.resolve();
      draining ??= new Promise((resolve) => {
        const impatient = clock.after(PATIENCE_MS, tooSlow);
        const done = () => {
          draining = undefined;
          goOn = () => {};
          impatient();
          stream.off("drain", done);
          stream.off("close", done);
          resolve();
        };
        goOn = done;
        stream.on("drain", done);
        stream.on("close", done);
        // Below its high-water mark, which runtimes differ in, a stream tells nobody that it has drained.
        if (!stream.writableNeedDrain) stream.write("", done);
      });
      return draining;
    },
  };
}
