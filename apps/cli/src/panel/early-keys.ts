import type { FormKey } from "@askwire/client/form";
import type { Panel } from "./panel.js";

/** The most keys kept for the first panel. */
const MOST_AHEAD = 1_000;

/** The keys pressed while there is no panel to take them. */
export class EarlyKeys {
  /** Keys pressed before the first panel, if those count. */
  #ahead: FormKey[] | undefined;
  /** The last key that reached no panel. */
  #missed: FormKey | undefined;

  /** Keeps the keys from now on for the first panel. */
  keep(): void {
    this.#ahead = [];
  }

  /** Takes a key. Returns false if it was meant for no panel. */
  take(key: FormKey): boolean {
    if (this.#ahead === undefined) {
      this.#missed = key;
      return false;
    }
    if (this.#ahead.length < MOST_AHEAD) this.#ahead.push(key);
    return true;
  }

  /** Gives the kept keys to the first panel. A panel that takes no keys yet learns of the missed one. */
  giveTo(panel: Panel, keysOff: number): void {
    const missed = this.#missed;
    const ahead = this.#ahead ?? [];
    this.#ahead = undefined;
    this.forget();
    // Words may have begun with the missed key.
    if (missed !== undefined && keysOff > 0) panel.key(missed);
    for (const key of ahead) panel.key(key, true);
  }

  /** Forgets the missed key. */
  forget(): void {
    this.#missed = undefined;
  }
}
