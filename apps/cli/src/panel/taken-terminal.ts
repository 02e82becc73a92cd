import type { FormKey } from "@askwire/client/form";
import { createKeyReader } from "../device/key-reader.js";
import type { Frame, Loan } from "../device/loan.js";
import { type KeyReader, STATUS_QUERY } from "../device/typed-keys.js";
import type { LineFeed } from "../lines/line-readers.js";
import type { Attention } from "./notify.js";

/** The terminal, taken with the first panel and given back after the last. */
export interface TakenTerminal {
  readonly isTaken: boolean;
  /**
   * Takes the terminal, unless it is taken, and marks its title if one is given. Undefined if there is no terminal.
   *
   * @param call the text that calls the person when the terminal is taken; undefined if the person was called
   * already.
   */
  take(title: string | undefined, call: string | undefined): Loan | undefined;
  /**
   * Lets another program have the terminal until it has ended.
   *
   * @throws Error if the terminal is not taken.
   */
  away<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Calls the person, while the terminal is taken. */
  call(text: string): void;
  /** Shows a frame that is made for the terminal's size. */
  show(frame: (size: Pick<Loan, "columns" | "rows">) => Frame): void;
  /**
   * Calls back once the person's terminal has shown what was written so far, which takes a while over a slow line.
   * Undefined where the terminal is not asked, or has not answered.
   */
  readonly whenShown: ((told: () => void) => void) | undefined;
  /** Shows nothing, and keeps the terminal. */
  clear(): void;
  giveBack(): void;
}

/** The answers that a terminal may owe and is still asked. */
const MOST_OWED = 2;

interface User {
  key(key: FormKey): void;
  redraw(): void;
  /** The terminal is gone, and no key will come. */
  gone(): void;
}

export function takenTerminal(
  lines: Pick<LineFeed, "lend">,
  attention: Attention,
  { key, redraw, gone }: User,
): TakenTerminal {
  let loan: Loan | undefined;
  let keys: KeyReader | undefined;

  /** Called at the terminal's next answers, the first one first. */
  const asked: (() => void)[] = [];
  const whenShown = (told: () => void) => {
    asked.push(told);
    signal(STATUS_QUERY);
  };

  const signal = (sequence: string) => {
    if (sequence !== "") loan?.signal(sequence);
  };

  function open(call: string | undefined): void {
    loan = lines.lend({
      input: (chunk) => keys?.push(chunk),
      redraw,
      gone() {
        loan = undefined;
        gone();
      },
    });
    if (loan === undefined) return;
    keys = createKeyReader(key, () => asked.shift()?.());
    if (call !== undefined) signal(attention.ring(call));
  }

  return {
    get isTaken() {
      return loan !== undefined;
    },
    take(title, call) {
      if (loan === undefined) open(call);
      if (title !== undefined) signal(attention.mark(title));
      return loan;
    },
    async away(run) {
      if (loan === undefined) throw new Error("there is no terminal");
      return await loan.away(run);
    },
    call: (text) => signal(attention.ring(text)),
    show(frame) {
      if (loan !== undefined) loan.show(frame(loan));
    },
    get whenShown() {
      // A terminal that owes several answers gives none.
      return loan?.answers === true && asked.length < MOST_OWED ? whenShown : undefined;
    },
    clear: () => loan?.show({ lines: [] }),
    giveBack() {
      const unread = keys?.close();
      keys = undefined;
      const lent = loan;
      loan = undefined;
      lent?.end(unread);
    },
  };
}
