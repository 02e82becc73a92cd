import { unlessAborted } from "../runtime/clock.js";
import type { JournalRecord } from "./entries.js";

/** The client that a replay goes to. */
export interface ReplayTarget {
  /** Tells it an event; false if it is not told of this one, which then does not count. */
  // biome-ignore lint/suspicious/noConfusingVoidType: most say nothing.
  event(type: string, payload: unknown): boolean | void;
  /** Sends it a request with the id that it had; false likewise. Nobody awaits its answer, which does nothing. */
  // biome-ignore lint/suspicious/noConfusingVoidType: most say nothing.
  request(type: string, payload: unknown): boolean | void;
  /**
   * Sends it a note of ours; false likewise. Default: it knows none.
   */
  note?(type: string, payload: unknown): "event" | "request" | false;
  /** Resolves once it has taken most of what it was sent. */
  drained(): Promise<void>;
}

export interface ReplayOptions extends ReplayTarget {
  readonly records: AsyncIterable<JournalRecord>;
  /** Stops it. */
  readonly signal: AbortSignal;
}

/** What a replay came to: how many were sent. */
export interface ReplayResult {
  status: "finished" | "cancelled";
  events: number;
  requests: number;
}

/** Records between two looks at whether the client keeps up. */
const BURST = 64;

/**
 * Sends a client what was recorded, in its order: events as events, requests as requests; our own notes are left out
 * towards a base client (P-JRN-10). A slow client is waited for, and other work goes on between two reads of the file.
 *
 * @throws what `records`, `event` or `request` throws.
 */
export async function replayTo(options: ReplayOptions): Promise<ReplayResult> {
  const { signal } = options;
  let events = 0;
  let requests = 0;
  let read = 0;
  for await (const { form, type, payload } of options.records) {
    if (signal.aborted) break;
    if (form === "event") {
      if (options.event(type, payload) !== false) events += 1;
    } else if (form === "request") {
      if (options.request(type, payload) !== false) requests += 1;
    } else {
      const sent = options.note?.(type, payload);
      if (sent === "event") events += 1;
      if (sent === "request") requests += 1;
    }
    read += 1;
    if (read % BURST === 0) await drainedOrAborted(options, signal);
  }
  return { status: signal.aborted ? "cancelled" : "finished", events, requests };
}

async function drainedOrAborted(target: ReplayTarget, signal: AbortSignal): Promise<void> {
  try {
    await unlessAborted(target.drained(), signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
