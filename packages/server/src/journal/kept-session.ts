import type { History } from "../agent/agent-session.js";
import { KeptHistory } from "./history.js";
import { type Journal, type JournalOptions, journalOf } from "./journal.js";
import type { OpenedHistory, OpenedLines } from "./kept-lines.js";

/**
 * The kept part of a session whose lines are open already. Flushing or closing its journal does both.
 *
 * @param openHistory opens the lines of the history. Where it throws, or they cannot be read, the journal is given back.
 * @throws what that throws.
 */
export function keptSession(
  opened: OpenedLines,
  openHistory: () => OpenedHistory,
  options: Pick<JournalOptions, "whenNotKept" | "log" | "clock">,
): { readonly journal: Journal; readonly history: History } {
  const journal = journalOf(opened, options);
  const history = historyBeside(journal, openHistory, options);
  return {
    journal: {
      ...journal,
      saveHistory() {
        // The journal is never behind the history.
        void journal.flush();
        return history.save();
      },
      flush() {
        history.flush();
        return journal.flush();
      },
      async close() {
        await history.close();
        await journal.close();
      },
    },
    history,
  };
}

function historyBeside(
  journal: Journal,
  open: () => OpenedHistory,
  { log }: Pick<JournalOptions, "log">,
): KeptHistory {
  const opening: { lines?: OpenedHistory["lines"] } = {};
  try {
    const opened = open();
    opening.lines = opened.lines;
    return new KeptHistory({ opened, notes: journal, log });
  } catch (error) {
    void opening.lines?.close();
    void journal.close();
    throw error;
  }
}
