import { reasonIn } from "./reason-in-log.js";

/** The most characters of standard error kept for errors. */
const TAIL = 4_096;
/** The most characters kept of output without messages. */
const PRINTED = 1_000;

/** The next step for a program without an introduction. */
export const NO_AGENT = ": expected an agent, which speaks the wire or ACP on its standard input and output";

/** The output of a started program apart from its messages, for errors and to recognize a program that is no agent. */
export class ProgramOutput {
  #isIntroduced = false;
  #lastSent: string | undefined;
  #printed = "";
  /** The end of the program's log. */
  #tail = "";

  /** Standard output without messages, from before the introduction. */
  get printed(): string {
    return this.#printed;
  }

  /** Takes a piece of the program's log. */
  log(text: string): void {
    this.#tail = (this.#tail + text).slice(-TAIL);
  }

  /** Takes a line sent to the program. */
  sent(line: string): void {
    if (!this.#isIntroduced) this.#lastSent = line;
  }

  /** Takes a line from the program. True for the last line sent to it, which no agent sends back. */
  echoes(line: string): boolean {
    if (this.#isIntroduced || isBlank(line)) return false;
    if (!isObject(line)) this.#print(line);
    return line === this.#lastSent;
  }

  /** Notes that the program is an agent. From now on only its log is kept. */
  introduced(): void {
    this.#isIntroduced = true;
    this.#lastSent = undefined;
    this.#printed = "";
  }

  /**
   * The end of an error message about the program: its output and the end of its log, or the next step.
   *
   * @param next the next step behind a log.
   */
  ending(next = ""): string {
    const after = this.#printed === "" ? "" : ` after it printed ${JSON.stringify(this.#printed)}`;
    const log = isBlank(this.#tail) ? "" : `: ${reasonIn(this.#tail)}${next}`;
    return `${after}${log === "" && !this.#isIntroduced ? NO_AGENT : log}`;
  }

  #print(line: string): void {
    const before = this.#printed === "" ? "" : `${this.#printed}\n`;
    this.#printed = `${before}${line}`.slice(0, PRINTED);
  }
}

const isBlank = (text: string) => text.trim() === "";

function isObject(line: string): boolean {
  if (!line.startsWith("{")) return false;
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
