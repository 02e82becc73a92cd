import { eventText } from "@askwire/protocol/internal";
import type { ReplayTarget } from "../journal/replay.js";
import { replayedText } from "../session/event-log.js";
import type { Past } from "../session/past.js";
import type { Pace } from "./pace.js";

export interface TellHistoryOptions extends Past {
  readonly pace: Pace;
  /** The receiver of a kept session's records, at the same pace. */
  readonly target: ReplayTarget;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/**
 * UTF-16 units of the history between two looks at whether the client keeps up, and the bytes that may then wait. Both
 * are less than what a turn waits for, so that the history of a slow client holds up nobody.
 */
export const HISTORY_BURST = 64 * 1024;

/**
 * Sends one client the conversation so far, as fast as the client reads, and that this was all (P-XHI-1 to P-XHI-3).
 * Resolves with false if the signal came first.
 *
 * @throws any exception of the journal's reader.
 */
export async function tellHistory(options: TellHistoryOptions): Promise<boolean> {
  const { whole, entries = [], replay, pace, target, signal } = options;
  await replay?.(target, signal);
  for (const entry of entries) {
    if (signal.aborted) return false;
    pace.pass(replayedText(entry));
    if (pace.isFull()) await pace.drained();
  }
  if (signal.aborted) return false;
  pace.pass(eventText("HistoryEnd", { whole }, { replayed: true }));
  return true;
}
