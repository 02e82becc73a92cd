import type { KeptTexts } from "../prompt/prompt-history.js";
import { type LineFeed, LineReaders, type LineSource } from "./line-readers.js";
import { pipeLines } from "./pipe-lines.js";
import { PromptLines } from "./prompt-lines.js";
import { PromptPlace } from "./prompt-place.js";

interface LineOptions {
  readonly env?: NodeJS.ProcessEnv;
  /** Set if a terminal gets lines only, and nothing but the typed line is drawn again. Default: false. */
  readonly plain?: boolean | undefined;
  /** The text that is shown for a paste of so many lines. Default: their number in brackets. */
  readonly pasted?: (lines: number) => string;
  /** The line that Ctrl-O gives to a reader of any line, while the draft stays. Default: the key does nothing. */
  readonly shows?: string;
  /** Texts of the prompt that outlive the process. Default: none. */
  readonly kept?: KeptTexts | undefined;
}

/** Opens a terminal or a pipe for reading line by line. */
export function openLines(
  input: NodeJS.ReadStream,
  output: NodeJS.WriteStream,
  { env = process.env, plain = false, pasted = (lines) => `[${lines}]`, shows, kept }: LineOptions = {},
): LineFeed {
  const interrupted: (() => void)[] = [];
  const escaped: (() => void)[] = [];
  const gone: (() => void)[] = [];
  const full: (() => void)[] = [];
  const told = {
    interrupted: () => interrupted.forEach((tell) => void tell()),
    escaped: () => escaped.forEach((tell) => void tell()),
    gone: () => gone.forEach((tell) => void tell()),
    full: () => full.forEach((tell) => void tell()),
    pasted,
    shows,
  };
  const interactive = input.isTTY === true && output.isTTY === true;
  const readers = new LineReaders((): LineSource => source);
  const source: LineSource = !input.isTTY
    ? pipeLines(input, output, readers)
    : interactive && !plain && env.TERM !== "dumb"
      ? new PromptPlace(input, output, env, readers, told, kept)
      : new PromptLines(input, output, env, readers, told);

  return {
    interactive,
    draws: source.draws,
    get asking() {
      return source.lent || (!source.draws && readers.asker() !== undefined);
    },
    next: (...asked) => readers.next(...asked),
    get ended() {
      return readers.ended;
    },
    onInterrupt: (listener) => void interrupted.push(listener),
    onEscape: (listener) => void escaped.push(listener),
    onGone: (listener) => void gone.push(listener),
    onFull: (listener) => void full.push(listener),
    dropTyped: () => source.dropTyped(),
    write: (text) => source.write(text),
    shows: (live) => source.shows(live),
    suggests: (suggests) => source.suggests(suggests),
    changed: (isText) => source.changed(isText),
    endText: () => source.endText(),
    lend: (borrower) => source.lend(borrower),
    get typing() {
      return source.typing;
    },
    untilSent: (signal) => source.untilSent(signal),
    get lastKeyAt() {
      return source.lastKeyAt;
    },
    answered: () => source.answered(),
    close: () => source.close(),
  };
}
