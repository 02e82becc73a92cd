import type { Borrower, Loan } from "../device/loan.js";
import type { Suggests } from "../prompt/suggestion-list.js";
import type { Live } from "./live-rows.js";

/**
 * The end of the input: "typed" by a person's Ctrl-D, "over" at the end of a pipe, "gone" with its terminal, "closed"
 * by this program. Only the first one is an act of a person.
 */
export type InputEnd = "typed" | "over" | "gone" | "closed";

/** Lines from a person's keyboard or from a pipe. */
export interface LineFeed {
  /** Set if a person at a terminal types the lines and sees the output there. */
  readonly interactive: boolean;
  /**
   * Reads the next line; undefined at the end of the input. Throws the signal's reason when the signal is aborted.
   *
   * @param options.below set for a reader of any line: open requests are asked first.
   * @param options.passing set for a reader that takes a line while others write. Its prompt stands only where the
   * cursor's line is free, and leaves no trace. Half-typed text moves on to the next prompt.
   * @param options.apart set where a blank line is to stand above the line, on a terminal that is drawn on.
   */
  next(
    prompt: string,
    signal?: AbortSignal,
    options?: { below?: boolean; passing?: boolean; apart?: boolean },
  ): Promise<string | undefined>;
  /** Keeps text typed before a request for the next prompt, so that it answers nothing. A pipe has no such text. */
  dropTyped(): void;
  /**
   * Writes to the output. An open prompt is shown again below the text, with its draft.
   * While a person is asked, half a line waits for its end or for a pause. After a pause the line ends there, and its
   * later line feed is dropped.
   */
  write(text: string): void;
  /** Shows what may still change around the prompt. Without a terminal to draw on nothing is shown. */
  shows(live: Live): void;
  /** Suggests words at the prompt. Without a terminal to draw on none are suggested. */
  suggests(suggests: Suggests): void;
  /**
   * Draws again what may change, soon.
   *
   * @param isText set if the text has grown. Default: false.
   */
  changed(isText?: boolean): void;
  /** Writes the rest of the text that grows, which ends here. */
  endText(): void;
  /** Set if the terminal is drawn on: the prompt stays in place, and panels can have the terminal. */
  readonly draws: boolean;
  /** Set while others have the cursor's line, so that text without an end must not stand there. */
  readonly asking: boolean;
  /**
   * Lends the terminal to a panel until the panel gives it back. Undefined without a terminal to draw on, or while it
   * is lent.
   * Meanwhile nobody else is asked: a prompt waits, and so does another reader's half line.
   */
  lend(borrower: Borrower): Loan | undefined;
  /** Set while unsent words stand at a prompt. */
  readonly typing: boolean;
  /** Resolves when nothing is half typed. Throws the signal's reason when the signal is aborted. */
  untilSent(signal: AbortSignal): Promise<void>;
  /** The time of the last key, in milliseconds of `performance.now()`; -Infinity without a key. */
  readonly lastKeyAt: number;
  /** The way in which the input ended. Undefined while there may be more. */
  readonly ended: InputEnd | undefined;
  /** Registers a listener for Ctrl-C, except where Ctrl-C wipes a draft. */
  onInterrupt(listener: () => void): void;
  /**
   * Registers a listener for Esc at an empty prompt, where nobody is asked. Esc that came within a second after a panel
   * was meant for that panel, and is not told.
   */
  onEscape(listener: () => void): void;
  /** Registers a listener for the loss of the terminal. It is called before waiting readers hear that no line comes. */
  onGone(listener: () => void): void;
  /** Registers a listener for text that did not fit whole. */
  onFull(listener: () => void): void;
  /** Resolves once the terminal has given the answers that it owes, after a second at most. Others owe none. */
  answered(): Promise<void>;
  /** Leaves the terminal as found. */
  close(): void;
}

/** A reader that waits for a line. The last reader to ask gets the line, except readers that wait below. */
export interface Reader {
  readonly prompt: string;
  readonly passing: boolean;
  /** Set if the prompt waits until no other text stands on the cursor's line. */
  readonly below: boolean;
  /** Set if a blank line stands above the line. */
  readonly apart: boolean;
  /** The text typed for this reader before another came in between. */
  typed: string;
  readonly resolve: (line: string | undefined) => void;
}

/** The source of the lines. */
export interface LineSource
  extends Pick<
    LineFeed,
    | "dropTyped"
    | "write"
    | "shows"
    | "suggests"
    | "changed"
    | "endText"
    | "lend"
    | "draws"
    | "typing"
    | "untilSent"
    | "lastKeyAt"
    | "answered"
    | "close"
  > {
  /** Set while the terminal is lent: nobody is asked then. */
  readonly lent: boolean;
  /** Shows a prompt. */
  ask(reader: Reader): void;
  /** Takes the line away from its reader. */
  suspend(): void;
  /** Leaves the line after its reader stopped waiting. */
  abandon(): void;
  /** Called when a reader stopped waiting, with the text typed for it. */
  left(): void;
  /** Called when a reader got a line that came earlier. */
  took(line: string, reader: Reader): void;
}

/** The readers that wait for lines, and the lines that wait for a reader. */
export class LineReaders implements Pick<LineFeed, "next" | "ended"> {
  readonly queue: string[] = [];
  /** Text half typed without a reader, or for a passing reader. The next prompt shows it. */
  carried = "";
  readonly #source: () => LineSource;
  /** The waiting readers, the reader of the next line last. */
  readonly #readers: Reader[] = [];
  /** Text typed before a request. */
  #kept = "";
  #ended: InputEnd | undefined;

  constructor(source: () => LineSource) {
    this.#source = source;
  }

  get ended(): InputEnd | undefined {
    return this.#ended;
  }

  /** The reader of the next line. */
  top(): Reader | undefined {
    return this.#readers.at(-1);
  }

  /** The reader that asked for the current line. Passing readers, and readers that wait below, only take a line. */
  asker(): Reader | undefined {
    const reader = this.top();
    return reader?.below === false ? reader : undefined;
  }

  /** Moves lines without a reader, and half-typed text, behind the next prompt that no request shows. */
  keepTyped(): void {
    this.#kept = joined(this.#kept, ...this.queue.splice(0), this.carried);
    this.carried = "";
  }

  push(line: string): void {
    const reader = this.#readers.pop();
    if (reader === undefined) this.queue.push(line);
    else reader.resolve(line);
    this.#showAgain();
  }

  /** Ends the input. Only the first call counts. */
  end(how: InputEnd): void {
    this.#ended ??= how;
    for (const reader of this.#readers.splice(0)) reader.resolve(undefined);
  }

  /** Resumes after a loan. Earlier lines go to the waiting readers, and the last reader is asked. */
  resume(): void {
    for (let reader = this.top(); reader !== undefined; reader = this.top()) {
      this.#source().ask(reader);
      const ahead = this.queue.shift();
      if (ahead === undefined) return;
      this.#source().took(ahead, reader);
      this.#readers.pop();
      reader.resolve(ahead);
    }
  }

  next(
    prompt: string,
    signal?: AbortSignal,
    {
      passing = false,
      below = passing,
      apart = false,
    }: { below?: boolean; passing?: boolean; apart?: boolean } = {},
  ): Promise<string | undefined> {
    signal?.throwIfAborted();
    const waits = below && this.#readers.length > 0;
    if (!waits) this.#source().suspend();
    const ahead = waits || this.#source().lent ? undefined : this.queue.shift();
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.#leave(reader);
        reject(signal?.reason);
        this.#showAgain();
      };
      const reader: Reader = {
        ...{ prompt, passing, below, apart },
        // Half-typed text behind a whole line is for the next reader.
        typed: ahead === undefined ? this.#takeTyped(below) : "",
        resolve(line) {
          signal?.removeEventListener("abort", abort);
          resolve(line);
        },
      };
      if (waits) this.#readers.unshift(reader);
      else if (!this.#ask(reader, ahead)) return resolve(ahead);
      signal?.addEventListener("abort", abort, { once: true });
    });
  }

  /** Takes the half-typed text for a reader. */
  #takeTyped(below: boolean): string {
    const typed = below ? joined(this.#kept, this.carried) : this.carried;
    this.carried = "";
    if (below) this.#kept = "";
    return typed;
  }

  /** Asks for a line. Returns false if the line came ahead, or none will come. */
  #ask(reader: Reader, ahead: string | undefined): boolean {
    this.#source().ask(reader);
    if (ahead !== undefined && this.#ended === undefined) this.#source().took(ahead, reader);
    if (ahead !== undefined || this.#ended !== undefined) return false;
    this.#readers.push(reader);
    return true;
  }

  /** Lets a reader stop waiting. */
  #leave(reader: Reader): void {
    const isTop = this.top() === reader;
    if (isTop && reader.passing) this.#source().suspend();
    this.#readers.splice(this.#readers.indexOf(reader), 1);
    if (isTop && !reader.passing) this.#source().abandon();
    if (reader.passing) this.carried = reader.typed;
    this.#source().left();
  }

  /** Shows the prompt of a reader that waits below, unless another reader asks first. */
  #showAgain(): void {
    const reader = this.top();
    if (reader === undefined) return;
    setImmediate(() => {
      if (this.top() === reader && this.#ended === undefined) this.#source().ask(reader);
    });
  }
}

/** Words as one line. */
const joined = (...texts: string[]) => texts.filter((text) => text !== "").join(" ");
