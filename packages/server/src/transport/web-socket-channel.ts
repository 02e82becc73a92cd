import type { Socket } from "node:net";
import { type ChannelSink, closeCodes, type MessageChannel } from "@askwire/protocol";
import { afterPromises } from "@askwire/protocol/node";
import type { RawData, WebSocket } from "ws";
import type { Clock } from "../runtime/clock.js";
import type { HeldMessages } from "./held-messages.js";

/** The time for which a stream waits for a client that does not read, in milliseconds. */
const PATIENCE_MS = 10_000;

/**
 * A channel of one message a text frame over a WebSocket of `ws` (P-FRM-6). A binary frame closes the connection with
 * 1003. The library closes it for bad UTF-8 (1007) and oversized frames (1009). A client that leaves too much unread, or
 * makes a stream wait for ten seconds, is closed with 4408. The channel then closes at once.
 */
export class WebSocketChannel implements MessageChannel {
  readonly #webSocket: WebSocket;
  readonly #stream: Socket;
  readonly #unsentBytes: number;
  readonly #clock: Clock;
  /** Messages that came before the channel is listened to. */
  #held: HeldMessages | undefined;
  /** Undefined before the channel is listened to, and once it has closed. */
  #sink: ChannelSink | undefined;
  #failure: Error | undefined;
  #corked = false;
  #draining: Promise<void> | undefined;
  /** Ends the wait for the client; undefined while there is none. */
  #goOn: (() => void) | undefined;

  /**
   * Reads nothing before `listen`.
   *
   * @param stream the connection below, whose writes of one turn of the event loop are sent together.
   * @param held messages that were read already. Default: none.
   */
  constructor(webSocket: WebSocket, stream: Socket, unsentBytes: number, clock: Clock, held?: HeldMessages) {
    this.#held = held;
    this.#webSocket = webSocket;
    this.#stream = stream;
    this.#unsentBytes = unsentBytes;
    this.#clock = clock;
    webSocket.pause();
  }

  get bytesRead(): number {
    return this.#stream.bytesRead;
  }

  send(text: string): void {
    const webSocket = this.#webSocket;
    if (webSocket.readyState !== webSocket.OPEN) return;
    if (!this.#corked) {
      this.#corked = true;
      this.#stream.cork();
      afterPromises(this.#uncork);
    }
    webSocket.send(text);
    // More than this message alone waits: the other side does not read.
    const { bufferedAmount } = webSocket;
    if (bufferedAmount > this.#unsentBytes && bufferedAmount > 2 * text.length + 16) this.#tooSlow();
  }

  listen(sink: ChannelSink): void {
    const webSocket = this.#webSocket;
    this.#sink = sink;
    const take = (data: RawData, isBinary: boolean) => {
      if (!isBinary) return sink.message(data.toString());
      webSocket.removeAllListeners("message");
      webSocket.close(closeCodes.BinaryFrame, "text frames only");
    };
    const held = this.#held?.take() ?? [];
    this.#held = undefined;
    webSocket.on("message", take);
    webSocket.on("error", (error) => {
      this.#failure = error;
    });
    webSocket.on("close", this.#over);
    if (held.length === 0) return webSocket.resume();
    // Whoever listens is to have its side of the channel first.
    queueMicrotask(() => {
      for (const { data, isBinary } of held)
        if (webSocket.listeners("message").includes(take)) take(data, isBinary);
      webSocket.resume();
    });
  }

  close(code: number = closeCodes.Normal, reason = ""): void {
    this.#webSocket.close(code, reason);
  }

  drained(bytes: number): Promise<void> {
    const { readyState, OPEN, bufferedAmount } = this.#webSocket;
    if (readyState !== OPEN || bufferedAmount <= bytes) return Promise.resolve();
    this.#draining ??= new Promise((resolve) => this.#drain(resolve));
    return this.#draining;
  }

  #drain(resolve: () => void): void {
    const stream = this.#stream;
    const impatient = this.#clock.after(PATIENCE_MS, () => this.#tooSlow());
    const done = () => {
      this.#draining = undefined;
      this.#goOn = undefined;
      impatient();
      stream.off("drain", done);
      stream.off("close", done);
      resolve();
    };
    this.#goOn = done;
    stream.on("drain", done);
    stream.on("close", done);
    // Below its high-water mark, which runtimes differ in, a stream tells nobody that it has drained.
    if (!stream.writableNeedDrain) stream.write("", done);
  }

  /** Closes the connection. Its goodbye stands behind all that is unread, and nobody waits for that. */
  #tooSlow(): void {
    this.#webSocket.close(closeCodes.TooSlow, "too slow: reconnect");
    this.#goOn?.();
    queueMicrotask(this.#over);
  }

  readonly #over = (): void => {
    const sink = this.#sink;
    if (sink === undefined) return;
    this.#sink = undefined;
    this.#webSocket.removeAllListeners("message");
    sink.closed(this.#failure);
  };

  readonly #uncork = (): void => {
    this.#corked = false;
    this.#stream.uncork();
  };
}
