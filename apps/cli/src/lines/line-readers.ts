import type { Borrower, Loan } from "../device/loan.js";

/** Lines that a person types, or that come from a pipe. */
export interface Lines {
  /** Whether a person at a terminal types them, and sees there what is written. */
  readonly interactive: boolean;
  /**
   * The next line; undefined at the end of the input. Throws the signal's reason when it is aborted.
   *
   * @param options.below for who waits for any line: what is asked already is asked first.
   * @param options.passing the same for who takes a line if there is one, while others write: its prompt is only where the
   * cursor's line is free, leaves no trace, and what is half typed at its end is there at the next prompt.
   */
  next(
    prompt: string,
    signal?: AbortSignal,
    options?: { below?: boolean; passing?: boolean },
  ): Promise<string | undefined>;
  /** Drops what a person typed before they were asked, so that it answers nothing. A pipe keeps all. */
  dropTyped(): void;
  /**
   * Writes to the output; an open prompt is shown again below it, with what was typed. While a person is asked, half a
   * line waits for its end, or for a pause: it then ends there, and the line feed that is to end it is dropped.
   */
  write(text: string): void;
  /** Whether the terminal is drawn on: the prompt is a place that stays, and panels can have the terminal. */
  readonly draws: boolean;
  /** Whether text that has no end of its own may not stand where it is written: others have the line of the cursor. */
  readonly asking: boolean;
  /**
   * Lends the terminal to a panel, until it gives it back. Undefined where there is none to draw on, or while it is lent.
   * While it is lent nobody else is asked: a prompt waits, and so does half a line of others.
   */
  lend(borrower: Borrower): Loan | undefined;
  /** Whether words stand at a prompt that were not sent. */
  readonly typing: boolean;
  /** Resolves when nothing is half typed any more. Throws the signal's reason when it is aborted. */
  untilSent(signal: AbortSignal): Promise<void>;
  /** When the last key was pressed, in milliseconds of `performance.now()`; -Infinity if none was. */
  readonly lastKeyAt: number;
  /** Told of Ctrl-C, but where it wipes a draft. */
  onInterrupt(listener: () => void): void;
  /** Told that what was typed or pasted had no room whole. */
  onFull(listener: () => void): void;
  /** Leaves the terminal as it was found. */
  close(): void;
}

/** Somebody who waits for a line. The last who asked is the one who gets it, but for who waits below the others. */
export interface Reader {
  readonly prompt: string;
  readonly passing: boolean;
  /** Its prompt waits until nobody's text stands on the cursor's line. */
  readonly below: boolean;
  /** What was typed for this reader before another came in between. */
  typed: string;
  readonly resolve: (line: string | undefined) => void;
}

/** Where the lines come from. */
export interface LineSource
  extends Pick<
    Lines,
    "dropTyped" | "write" | "lend" | "draws" | "typing" | "untilSent" | "lastKeyAt" | "close"
  > {
  /** Whether the terminal is lent: nobody is asked then. */
  readonly lent: boolean;
  /** Shows a prompt. */
  ask(reader: Reader): void;
  /** Takes the line away from who waits for it now. */
  suspend(): void;
  /** Leaves the line: who waited for it does no longer. */
  abandon(): void;
  /** Told that somebody waits no longer, with what was typed for them. */
  left(): void;
  /** Told that somebody got a line that came before they asked. */
  took(line: string, reader: Reader): void;
}

/** Who waits for lines, and the lines that wait for somebody. */
export interface LineReaders extends Pick<Lines, "next"> {
  readonly queue: string[];
  /** What was half typed while nobody waited, or for a passing reader: it is there at the next prompt. */
  carried: string;
  readonly ended: boolean;
  /** Who gets the next line. */
  top(): Reader | undefined;
  /** Who asked for the line that is typed now. A passing reader and one that waits below take what there is. */
  asker(): Reader | undefined;
  /** Everybody who waits. */
  all(): readonly Reader[];
  push(line: string): void;
  end(): void;
  /** Goes on after a loan: lines from before it go to who waits, and the last who asked is asked. */
  resume(): void;
}

export function lineReaders(source: () => LineSource): LineReaders {
  const readers: Reader[] = [];
  const queue: string[] = [];
  let carried = "";
  let ended = false;

  /** Shows the prompt of who waits below, unless somebody else asks first. */
  function showAgain(): void {
    const reader = readers.at(-1);
    if (reader === undefined) return;
    setImmediate(() => {
      if (readers.at(-1) === reader && !ended) source().ask(reader);
    });
  }

  return {
    queue,
    get carried() {
      return carried;
    },
    set carried(typed) {
      carried = typed;
    },
    get ended() {
      return ended;
    },
    top: () => readers.at(-1),
    asker() {
      const reader = readers.at(-1);
      return reader?.below === false ? reader : undefined;
    },
    all: () => readers,
    push(line) {
      const reader = readers.pop();
      if (reader === undefined) queue.push(line);
      else reader.resolve(line);
      showAgain();
    },
    end() {
      ended = true;
      for (const reader of readers.splice(0)) reader.resolve(undefined);
    },
    resume() {
      for (let reader = readers.at(-1); reader !== undefined; reader = readers.at(-1)) {
        source().ask(reader);
        const ahead = queue.shift();
        if (ahead === undefined) return;
        source().took(ahead, reader);
        readers.pop();
        reader.resolve(ahead);
      }
    },
    next(prompt, signal, { passing = false, below = passing } = {}) {
      signal?.throwIfAborted();
      const waits = below && readers.length > 0;
      if (!waits) source().suspend();
      const ahead = waits || source().lent ? undefined : queue.shift();
      return new Promise((resolve, reject) => {
        const abort = () => {
          const top = readers.at(-1) === reader;
          if (top && passing) source().suspend();
          readers.splice(readers.indexOf(reader), 1);
          if (top && !passing) source().abandon();
          if (passing) carried = reader.typed;
          source().left();
          reject(signal?.reason);
          showAgain();
        };
        const reader: Reader = {
          prompt,
          passing,
          below,
          // Behind a line that is whole it is for the next one who waits.
          typed: ahead === undefined ? carried : "",
          resolve(line) {
            signal?.removeEventListener("abort", abort);
            resolve(line);
          },
        };
        if (ahead === undefined) carried = "";
        if (waits) readers.unshift(reader);
        else {
          source().ask(reader);
          if (ahead !== undefined && !ended) source().took(ahead, reader);
          if (ahead !== undefined || ended) return resolve(ahead);
          readers.push(reader);
        }
        signal?.addEventListener("abort", abort, { once: true });
      });
    },
  };
}
