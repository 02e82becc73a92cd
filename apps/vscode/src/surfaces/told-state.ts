import type { Entry } from "@askwire/react/stores";
import { entriesChange, type ToView, type ViewParts } from "../view-state.js";
import { otherParts } from "./view-parts.js";

/** The state as a webview was told it: each message has what is other than in the last. */
export class ToldState {
  #seq = 0;
  #parts: Partial<ViewParts> = {};
  #entries: readonly Entry[] = [];

  /** The message that reports a state. Undefined where nothing changed. */
  next(parts: ViewParts, entries: readonly Entry[]): ToView | undefined {
    const changed = otherParts(this.#parts, parts);
    // A webview that is told of another session begins without entries.
    const change = entriesChange("chat" in changed ? [] : this.#entries, entries);
    if (Object.keys(changed).length === 0 && change === undefined) return undefined;
    const seq = this.#seq;
    this.#seq += 1;
    this.#parts = parts;
    this.#entries = entries;
    return { type: "state", seq, parts: changed, ...(change !== undefined && { entries: change }) };
  }

  /** Has the next message report all parts again, but for the drafts, which are the webview's own. */
  tellAgain(): void {
    this.#parts = { drafts: "" };
  }
}
