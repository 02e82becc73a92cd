import { type LineSource, lineReaders } from "./line-readers.js";
import type { Borrower, Loan } from "./loan.js";
import { pipeLines } from "./pipe-lines.js";
import { promptLines } from "./prompt-lines.js";
import { promptPlace } from "./prompt-place.js";

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

interface LineOptions {
  readonly env?: NodeJS.ProcessEnv;
  /** Whether a terminal gets lines only, and nothing is drawn again but the line that is typed. Default: no. */
  readonly plain?: boolean | undefined;
}

/** Opens a terminal or a pipe for reading line by line. */
export function openLines(
  input: NodeJS.ReadStream,
  output: NodeJS.WriteStream,
  { env = process.env, plain = false }: LineOptions = {},
): Lines {
  const interrupted: (() => void)[] = [];
  const full: (() => void)[] = [];
  const told = {
    interrupted: () => interrupted.forEach((tell) => void tell()),
    full: () => full.forEach((tell) => void tell()),
  };
  const interactive = input.isTTY === true && output.isTTY === true;
  const readers = lineReaders((): LineSource => source);
  const source = !input.isTTY
    ? pipeLines(input, output, readers)
    : interactive && !plain && env.TERM !== "dumb"
      ? promptPlace(input, output, env, readers, told)
      : promptLines(input, output, env, readers, told.interrupted);

  return {
    interactive,
    draws: source.draws,
    get asking() {
      return source.lent || (!source.draws && readers.asker() !== undefined);
    },
    next: readers.next,
    onInterrupt: (listener) => void interrupted.push(listener),
    onFull: (listener) => void full.push(listener),
    dropTyped: source.dropTyped,
    write: source.write,
    lend: source.lend,
    get typing() {
      return source.typing;
    },
    untilSent: source.untilSent,
    get lastKeyAt() {
      return source.lastKeyAt;
    },
    close: source.close,
  };
}
