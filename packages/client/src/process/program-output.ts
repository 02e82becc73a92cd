/** What a program that was started prints beside its messages, for errors and to tell one that is no agent. */
export interface ProgramOutput {
  /** What it printed on its standard output, before it has introduced itself, that is no message. */
  readonly printed: string;
  /** Takes a piece of its log. */
  log(text: string): void;
  /** Takes a line that is sent to it. */
  sent(line: string): void;
  /** Takes a line that it printed. True: the line that was sent to it, which no agent sends back. */
  echoes(line: string): boolean;
  /** The program is an agent: from now on only its log is kept. */
  introduced(): void;
  /** How an error about it goes on: with what it printed and the end of its log, or what to do. */
  ending(): string;
}

/** Characters of standard error that are kept for errors. */
const TAIL = 4_096;
/** Characters that are kept of what is no message. */
const PRINTED = 1_000;

/** What to do about a program that says nothing about itself. */
export const NO_AGENT = ": expected an agent, which speaks the wire on its standard input and output";

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
