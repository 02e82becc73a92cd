import { Room, unitsOf } from "@askwire/protocol/internal";
import type { AgentCall } from "./tool-call.js";

/** The changes of files that were shown to a person who allowed them, in the running turn. */
export interface AllowedChanges {
  add(call: AgentCall): void;
  /** Takes a change that was allowed: each counts once. */
  take(path: string, oldText: string | null, newText: string): boolean;
  clear(): void;
}

/** The changes that are remembered, and the UTF-16 units of all: the oldest go. */
const MOST_CHANGES = { count: 100, units: 16 * 1_048_576 };

/** An agent asks, and then writes by us: the person is not asked the same twice. */
export function allowedChanges(): AllowedChanges {
  let changes: { readonly path: string; readonly oldText: string | null; readonly newText: string }[] = [];
  return {
    add({ content }) {
      const shown = content.flatMap(({ type, path, oldText = null, newText }) =>
        type === "diff" && path !== undefined && newText !== undefined ? [{ path, oldText, newText }] : [],
      );
      const room = new Room(MOST_CHANGES);
      const newestFirst = [...changes, ...shown].reverse();
      const over = newestFirst.findIndex((change) => !room.take(unitsOf(change)));
      changes = newestFirst.slice(0, over < 0 ? newestFirst.length : over).reverse();
    },
    take(path, oldText, newText) {
      const found = changes.findIndex(
        (change) => change.path === path && change.oldText === oldText && change.newText === newText,
      );
      if (found < 0) return false;
      changes.splice(found, 1);
      return true;
    },
    clear() {
      changes = [];
    },
  };
}
