import type { ReplayTarget } from "../journal/replay.js";
import { replayedText } from "../session/event-log.js";
import type { Past } from "../session/past.js";

export interface HistoryTarget extends ReplayTarget {
  /** Sends a whole message. */
  pass(text: string): void;
  isFull(): boolean;
}

/** Sends one client the conversation so far, as fast as it reads (P-XHI-1 to P-XHI-3). Ends early at the signal. */
export async function tellHistory(
  { entries = [], replay }: Past,
  target: HistoryTarget,
  signal: AbortSignal,
): Promise<void> {
  await replay?.(target, signal);
  for (const entry of entries) {
    if (signal.aborted) return;
    target.pass(replayedText(entry));
    if (target.isFull()) await target.drained();
  }
}
