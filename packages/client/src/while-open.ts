import type { OpenRequests } from "./open-requests.js";

/**
 * Runs what answers a request, with a signal that is aborted when the answer no longer counts. The wait ends then,
 * also where the work goes on.
 */
export type WhileOpen = <T>(
  id: string,
  toolCallId: string,
  work: (signal: AbortSignal) => Promise<T>,
) => Promise<T>;

/** In the base profile: until an event shows it. */
export const whileOpen =
  (open: OpenRequests): WhileOpen =>
  async (id, toolCallId, work) =>
    open.run(
      { id, tool_call_id: toolCallId },
      (_view, { signal }) => untilAborted(signal, work(signal)),
      (_view, result) => result,
    );

/** Rejects with the signal's reason when it is aborted. */
export const untilAborted = <T>(signal: AbortSignal, work: Promise<T>): Promise<T> =>
  Promise.race([
    work,
    new Promise<never>((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
    }),
  ]);
