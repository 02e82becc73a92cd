import type { ChannelSink, MessageChannel } from "./channel.js";

/** Sees every message before it is delivered. */
export type Sniffer = (from: "left" | "right", text: string) => void;

/**
 * Makes two channels in one process, to connect an agent and a UI of the same program. Each channel delivers to the
 * other in order, and never within the sender's call.
 */
export function linkedPair(sniff: Sniffer = () => {}): { left: MessageChannel; right: MessageChannel } {
  const left = new End((text) => sniff("left", text));
  const right = new End((text) => sniff("right", text));
  left.connect(right);
  right.connect(left);
  return { left, right };
}

/** One side of the pair. Its methods of a channel work without `this`. */
class End implements MessageChannel {
  readonly #sniff: (text: string) => void;
  #other: End | undefined;
  #sink: ChannelSink | undefined;
  #isOpen = true;
  #isScheduled = false;
  /** Texts for this side; null is the end. */
  readonly #queue: (string | null)[] = [];

  constructor(sniff: (text: string) => void) {
    this.#sniff = sniff;
  }

  connect(other: End): void {
    this.#other = other;
  }

  send = (text: string): void => {
    if (!this.#isOpen) return;
    this.#sniff(text);
    this.#other?.receive(text);
  };

  listen = (sink: ChannelSink): void => {
    this.#sink = sink;
    this.#schedule();
  };

  close = (): void => {
    this.#other?.end();
    this.end();
  };

  drained = (): Promise<void> => Promise.resolve();

  end(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.receive(null);
  }

  receive(text: string | null): void {
    this.#queue.push(text);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled || this.#sink === undefined) return;
    this.#isScheduled = true;
    queueMicrotask(() => this.#deliver());
  }

  #deliver(): void {
    this.#isScheduled = false;
    while (this.#queue.length > 0) {
      const text = this.#queue.shift() as string | null;
      if (text !== null) this.#sink?.message(text);
      else this.#sink?.closed();
    }
  }
}
