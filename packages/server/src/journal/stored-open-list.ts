import type { KeptOpenList } from "./open-file.js";
import type { UnfinishedSession } from "./open-requests.js";
import type { StoredCommit } from "./stored-session.js";

/** The list of what is open, as the commits of a session take it: a question is listed by the commit that keeps it. */
export interface StoredOpenList extends KeptOpenList {
  /** The list for a commit; undefined where it is as the last commit had it. */
  changedOpen(): StoredCommit["open"];
}

/**
 * Begins to list what is open in a session.
 *
 * @param read the present state; undefined where nothing is open.
 * @param isNew true for a session of which nothing is kept: an empty list says nothing new of it.
 */
export function storedOpenList(read: () => UnfinishedSession | undefined, isNew: boolean): StoredOpenList {
  let told = isNew ? JSON.stringify(null) : undefined;
  let isChanged = true;
  let last: UnfinishedSession | null | undefined;

  return {
    changedOpen() {
      if (!isChanged) return undefined;
      isChanged = false;
      const open = last === undefined ? (read() ?? null) : last;
      const text = JSON.stringify(open);
      if (text === told) return undefined;
      told = text;
      return open;
    },
    changed() {
      isChanged = true;
    },
    close() {
      last ??= read() ?? null;
      isChanged = true;
    },
  };
}
