import type { OpenRequests } from "./open-requests.js";

/**
 * Runs what answers a request, with a signal that is aborted when the answer no longer counts. The wait ends then,
 * also where the work goes on.
 */
export const whileOpen = async <T>(
  open: OpenRequests,
  id: string,
  toolCallId: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> =>
  open.run(
    { id, tool_call_id: toolCallId },
    (_view, { signal }) =>
      Promise.race([
        work(signal),
        new Promise<never>((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason));
        }),
      ]),
    (_view, result) => result,
  );
