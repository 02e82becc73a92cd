/** The output of a started program beside its messages, for errors and to recognize a program that is no agent. */
export interface ProgramOutput {
  /** Standard output without messages, from before the introduction. */
  readonly printed: string;
  /** Takes a piece of the program's log. */
  log(text: string): void;
  /** Takes a line sent to the program. */
  sent(line: string): void;
  /** Takes a line from the program. True for the last line sent to it, which no agent sends back. */
  echoes(line: string): boolean;
  /** Notes that the program is an agent. From now on only its log is kept. */
  introduced(): void;
  /** The end of an error message about the program: its output and the end of its log, or the next step. */
  ending(): string;
}

/** The most characters of standard error kept for errors. */
const TAIL = 4_096;
/** The most characters kept of output without messages. */
const PRINTED = 1_000;

/** The next step for a program without an introduction. */
export const NO_AGENT = ": expected an agent, which speaks the wire or ACP on its standard input and output";

export function programOutput(): ProgramOutput {
  let isIntroduced = false;
  let lastSent: string | undefined;
  let printed = "";
  let tail = "";
  return {
    get printed() {
      return printed;
    },
    log(text) {
      tail = (tail + text).slice(-TAIL);
    },
    sent(line) {
      if (!isIntroduced) lastSent = line;
    },
    echoes(line) {
      if (isIntroduced || isBlank(line)) return false;
      if (!isObject(line)) printed = `${printed}${printed === "" ? "" : "\n"}${line}`.slice(0, PRINTED);
      return line === lastSent;
    },
    introduced() {
      isIntroduced = true;
      lastSent = undefined;
      printed = "";
    },
    ending() {
      const after = printed === "" ? "" : ` after it printed ${JSON.stringify(printed)}`;
      const log = isBlank(tail) ? "" : `: ${tail.trim()}`;
      return `${after}${log === "" && !isIntroduced ? NO_AGENT : log}`;
    },
  };
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
