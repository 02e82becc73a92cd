import type { FormKey } from "@askwire/client/form";
import { createKeyReader } from "../device/key-reader.js";
import type { Loan } from "../device/loan.js";
import type { KeyReader } from "../device/typed-keys.js";
import type { Lines } from "../lines/line-readers.js";
import type { Attention } from "./notify.js";

/** The terminal, taken when a panel opens and nothing was open, and given back when nothing is any more. */
export interface TakenTerminal {
  readonly isTaken: boolean;
  /**
   * Takes it, unless it is taken, and marks its title if one is given. Undefined where there is none to be had.
   *
   * @param call what to call the person with, when it is taken; undefined if they were called already.
   */
  take(title: string | undefined, call: string | undefined): Loan | undefined;
  /** Shows nothing, and keeps it. */
  clear(): void;
  giveBack(): void;
}

interface User {
  key(key: FormKey): void;
  redraw(): void;
  /** Nobody will press a key any more. */
  gone(): void;
}

export function takenTerminal(
  lines: Pick<Lines, "lend">,
  attention: Attention,
  { key, redraw, gone }: User,
): TakenTerminal {
  let loan: Loan | undefined;
  let keys: KeyReader | undefined;

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
    keys = createKeyReader(key);
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
