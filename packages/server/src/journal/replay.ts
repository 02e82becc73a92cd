import { unlessAborted } from "../runtime/clock.js";
import type { JournalRecord } from "./entries.js";

/** The client that a replay goes to. */
export interface ReplayTarget {
  /**
   * Sends an event. Returns false for an event that is left out, and does not count.
   *
   * @param timestamp when it was recorded, in seconds since 1970. Default: that is not known.
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: most say nothing.
  event(type: string, payload: unknown, timestamp?: number): boolean | void;
  /** Sends a request with its old id, or returns false. An answer does nothing. */
  // biome-ignore lint/suspicious/noConfusingVoidType: most say nothing.
  request(type: string, payload: unknown): boolean | void;
  /** Sends a note of ours, or returns false. Default: all notes are left out. */
  note?(type: string, payload: unknown): "event" | "request" | false;
  /** Sends what it has held back for a note that may follow. Called after the last record. Default: it holds nothing. */
  finish?(): void;
  /** True if the target has much to take before more is sent. Default: never, so only numbers of records count. */
  isFull?(): boolean;
  /** Resolves once the target has taken most of the sent messages. */
  drained(): Promise<void>;
}

/** A record as far as a replay needs it. */
export type ReplayRecord = Pick<JournalRecord, "form" | "type" | "payload"> &
  Partial<Pick<JournalRecord, "timestamp">>;

export interface ReplayOptions extends ReplayTarget {
  readonly records: AsyncIterable<ReplayRecord> | Iterable<ReplayRecord>;
  /** Stops it. */
  readonly signal: AbortSignal;
}

/** The numbers of events and requests that a replay sent. */
export interface ReplayEnd {
  status: "finished" | "cancelled";
  events: number;
  requests: number;
}

/** Records between two looks at whether the client keeps up. */
const BURST = 64;

/**
 * Sends a client the records in order, events as events and requests as requests (P-JRN-10). Our own notes are left out
 * for a base client. A slow client is awaited, and other work continues between two reads of the file.
 *
 * @throws any exception of `records`, `event` or `request`.
 */
export async function replayTo(options: ReplayOptions): Promise<ReplayEnd> {
  const { signal } = options;
  let events = 0;
  let requests = 0;
  let read = 0;
  for await (const { form, type, payload, timestamp } of options.records) {
    if (signal.aborted) break;
    if (form === "event") {
      if (options.event(type, payload, timestamp) !== false) events += 1;
    } else if (form === "request") {
      if (options.request(type, payload) !== false) requests += 1;
    } else {
      const sent = options.note?.(type, payload);
      if (sent === "event") events += 1;
      if (sent === "request") requests += 1;
    }
    read += 1;
    if (read % BURST === 0 || options.isFull?.() === true) await drainedOrAborted(options, signal);
  }
  options.finish?.();
  return { status: signal.aborted ? "cancelled" : "finished", events, requests };
}

async function drainedOrAborted(target: ReplayTarget, signal: AbortSignal): Promise<void> {
  try {
    await unlessAborted(target.drained(), signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
