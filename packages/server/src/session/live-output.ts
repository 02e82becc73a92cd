import { type Watchers, watchers } from "../runtime/watchers.js";

/** The output of a running call so far: its last lines, and how many there were. */
export interface PrintedSoFar {
  readonly text: string;
  readonly lines: number;
}

/** The calls whose output is kept at once: with one more, the one that has printed nothing for longest is left out. */
const MOST_CALLS = 64;
/** The last lines that are kept of a call, and their UTF-16 units (P-XCO-1). */
const LAST = { lines: 8, units: 2_000 };

/** The last lines of what the running calls of a session have printed. Nothing of it is kept once a call has ended. */
export class LiveOutput {
  readonly #calls = new Map<string, PrintedSoFar>();
  /** Told of the id of a call that has printed something. */
  readonly changed: Watchers<[callId: string]>;

  /** @param failed told of each exception of a watcher. */
  constructor(failed: (error: unknown) => void) {
    this.changed = watchers<[string]>(failed);
  }

  of(callId: string): PrintedSoFar | undefined {
    return this.#calls.get(callId);
  }

  printed(callId: string, text: string): void {
    if (text === "") return;
    const before = this.#calls.get(callId) ?? { text: "", lines: 0 };
    this.#keep(callId, {
      text: lastOf(before.text + text),
      lines: before.lines + linesBegun(before.text, text),
    });
  }

  /** Takes what another agent says of a call of its own, in the place of what it said before. */
  become(callId: string, { text, lines }: PrintedSoFar): void {
    this.#keep(callId, { text: lastOf(text), lines });
  }

  ended(callId: string): void {
    this.#calls.delete(callId);
  }

  #keep(callId: string, printed: PrintedSoFar): void {
    this.#calls.delete(callId);
    this.#calls.set(callId, printed);
    const [longest] = this.#calls.keys();
    if (this.#calls.size > MOST_CALLS && longest !== undefined) this.#calls.delete(longest);
    this.changed.tell(callId);
  }
}

/** The lines that begin in a text which follows another one. */
function linesBegun(before: string, text: string): number {
  let count = before === "" || before.endsWith("\n") ? 1 : 0;
  // The end of the last line begins none.
  for (let at = text.indexOf("\n"); at >= 0 && at < text.length - 1; at = text.indexOf("\n", at + 1))
    count += 1;
  return count;
}

function lastOf(whole: string): string {
  let start = Math.max(0, whole.length - LAST.units);
  if (isLowSurrogate(whole.charCodeAt(start))) start += 1;
  const text = whole.slice(start);
  let at = text.endsWith("\n") ? text.length - 1 : text.length;
  for (let lines = 0; lines < LAST.lines; lines += 1) {
    at = text.lastIndexOf("\n", at - 1);
    if (at < 0) return text;
  }
  return text.slice(at + 1);
}

const isLowSurrogate = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff;
