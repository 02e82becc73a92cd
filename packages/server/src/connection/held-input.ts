import type { ChannelSink } from "@askwire/protocol";

/** UTF-16 units that a message counts for besides its own. */
const OVERHEAD = 64;

/**
 * The input of a channel, which is read in its order once nothing holds it. The methods of the sink are its own, as those
 * who stand in between spread a sink.
 */
export class HeldInput implements ChannelSink {
  readonly #sink: ChannelSink;
  readonly #most: number;
  readonly #tooMuch: () => void;
  /** Deliveries that wait, oldest first. */
  #waiting: (() => void)[] = [];
  /** UTF-16 units of the messages that wait. */
  #length = 0;
  #isHeld = false;
  /** Reports that the channel has ended, once all before it was read. */
  #last: (() => void) | undefined;

  /**
   * @param most UTF-16 units that may wait; a first message may be longer.
   * @param tooMuch called where more would wait.
   */
  constructor(sink: ChannelSink, most: number, tooMuch: () => void) {
    this.#sink = sink;
    this.#most = most;
    this.#tooMuch = tooMuch;
  }

  readonly message = (text: string): void => {
    if (!this.#isBehind) return this.#sink.message(text);
    const isFirst = this.#length === 0;
    this.#length += text.length + OVERHEAD;
    this.#waiting.push(() => {
      this.#length -= text.length + OVERHEAD;
      this.#sink.message(text);
    });
    if (this.#length > this.#most && !isFirst) this.#tooMuch();
  };

  readonly oversized = (limitBytes: number): void => this.#inOrder(() => this.#sink.oversized(limitBytes));

  readonly unreadable = (problem: string): void => this.#inOrder(() => this.#sink.unreadable?.(problem));

  readonly closed = (cause?: Error): void => {
    this.#last = () => this.#sink.closed(cause);
    this.#read();
  };

  /** Lets nothing be read until a promise, which never rejects, has settled. */
  hold(until: Promise<unknown>): void {
    this.#isHeld = true;
    void until.then(() => {
      this.#isHeld = false;
      this.#read();
    });
  }

  /** Forgets what waits: only the end of the channel is still reported. */
  drop(): void {
    this.#waiting = [];
    this.#length = 0;
    this.#isHeld = false;
    this.#read();
  }

  get #isBehind(): boolean {
    return this.#isHeld || this.#waiting.length > 0;
  }

  #inOrder(deliver: () => void): void {
    if (this.#isBehind) this.#waiting.push(deliver);
    else deliver();
  }

  #read(): void {
    while (!this.#isHeld) {
      const next = this.#waiting.shift();
      if (next === undefined) return this.#close();
      next();
    }
  }

  #close(): void {
    const last = this.#last;
    this.#last = undefined;
    last?.();
  }
}
