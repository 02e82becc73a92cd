import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { messageIn, type PeerMessage } from "../acp/peer-message.js";

/** A pipe that passes lines on as the bytes they came in, and lets somebody look at each of them first. */
export interface LinePipe {
  /** Sends a line of our own, between two that are passed on. Ignored once the receiver is gone. */
  insert(message: unknown): void;
  /** Resolves once the source has ended and the receiver has taken all, or is gone. */
  readonly ended: Promise<void>;
}

/** The fate of a line: it is passed on as it came, or not at all. */
export type LineFate = "pass" | "drop";

const LF = 0x0a;
const MOST_READ = 64 * 1_048_576;
/** Lines of our own that wait for the end of a long line. The oldest go: they are signs of life, or cancellations. */
const MOST_WAITING = 1_000;

/** The options of {@link linePipe}. */
export interface LinePipeOptions {
  /** Bytes of a line that is looked at. A longer one is passed on unread, in the pieces in which it comes. */
  readonly mostRead?: number;
  /** Messages of our own for a receiver that is still there once the source has ended. Default: none. */
  readonly last?: () => Promise<readonly unknown[]>;
}

/**
 * Passes lines on, as fast as the receiver takes them. The receiver is ended when the source ends.
 *
 * @param look says what becomes of a line; called with the message on the line, undefined where it has none.
 */
export function linePipe(
  source: Readable,
  receiver: Writable,
  look: (message: PeerMessage | undefined) => LineFate,
  { mostRead = MOST_READ, last = async () => [] }: LinePipeOptions = {},
): LinePipe {
  const line = new UnfinishedLine(mostRead);
  const waiting: string[] = [];
  const gone = new AbortController();
  receiver.once("close", () => gone.abort()).on("error", () => gone.abort());

  const write = (bytes: Uint8Array | string) => void (receiver.writable && receiver.write(bytes));

  function finish(bytes: Buffer): void {
    const whole = line.end(bytes);
    if (whole === undefined) write(bytes);
    else if (look(messageIn(whole.toString())) === "pass") write(whole);
    for (const text of waiting.splice(0)) write(text);
  }

  async function run(): Promise<void> {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      let start = 0;
      receiver.cork();
      for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, start)) {
        finish(chunk.subarray(start, end + 1));
        start = end + 1;
      }
      for (const bytes of line.add(chunk.subarray(start))) write(bytes);
      receiver.uncork();
      if (gone.signal.aborted) return;
      if (receiver.writableNeedDrain) await once(receiver, "drain", { signal: gone.signal }).catch(() => {});
    }
    // The last line may have no end.
    const rest = line.end(Buffer.alloc(0));
    const isLeft = rest !== undefined && rest.length > 0 && look(messageIn(rest.toString())) === "pass";
    if (isLeft) write(rest);
    const texts = (await last()).map((message) => `${JSON.stringify(message)}\n`);
    if (texts.length > 0 && (isLeft || rest === undefined)) write("\n");
    for (const text of texts) write(text);
  }

  const ended = run()
    .catch(() => {})
    .then(
      () =>
        new Promise<void>((resolve) => {
          gone.signal.addEventListener("abort", () => resolve(), { once: true });
          if (receiver.writable) receiver.end(() => resolve());
          else resolve();
        }),
    );
  return {
    insert(message) {
      const text = `${JSON.stringify(message)}\n`;
      if (!line.isLong) return write(text);
      if (waiting.push(text) > MOST_WAITING) waiting.shift();
    },
    ended,
  };
}

/** The line whose end has not come yet: kept while it is short enough to be read, and passed on once it is not. */
class UnfinishedLine {
  #pieces: Buffer[] = [];
  #bytes = 0;
  #isLong = false;
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** True if a part of the line was passed on. */
  get isLong(): boolean {
    return this.#isLong;
  }

  /** Adds bytes, and returns those that have to be passed on now. */
  add(bytes: Buffer): readonly Buffer[] {
    if (bytes.length === 0) return [];
    this.#bytes += bytes.length;
    this.#pieces.push(bytes);
    if (!this.#isLong && this.#bytes <= this.#most) return [];
    this.#isLong = true;
    return this.#pieces.splice(0);
  }

  /** Ends the line with its last bytes. Returns it whole; undefined for one of which a part was passed on. */
  end(bytes: Buffer): Buffer | undefined {
    const isLong = this.#isLong;
    const whole = this.#pieces.length === 0 ? bytes : Buffer.concat([...this.#pieces, bytes]);
    this.#pieces = [];
    this.#bytes = 0;
    this.#isLong = false;
    return isLong ? undefined : whole;
  }
}
