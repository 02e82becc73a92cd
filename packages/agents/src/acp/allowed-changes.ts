import type { AgentCall } from "./tool-call.js";

/** The changes of files that were shown to a person who allowed them, in the running turn. */
export interface AllowedChanges {
  add(call: AgentCall): void;
  /** Takes a change that was allowed: each counts once. */
  take(path: string, oldText: string | null, newText: string): boolean;
  clear(): void;
}

/** The most changes that are remembered. */
const MOST_CHANGES = 100;

/** An agent asks, and then writes by us: the person is not asked the same twice. */
export function allowedChanges(): AllowedChanges {
  let changes: { readonly path: string; readonly oldText: string | null; readonly newText: string }[] = [];
  return {
    add({ content }) {
      const shown = content.flatMap(({ type, path, oldText = null, newText }) =>
        type === "diff" && path !== undefined && newText !== undefined ? [{ path, oldText, newText }] : [],
      );
      changes = [...changes, ...shown].slice(-MOST_CHANGES);
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
