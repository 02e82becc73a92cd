import { LocalError, type MessageChannel, WireError } from "@askwire/protocol";
import { isThenable } from "@askwire/protocol/internal";
import { FinalError } from "../connection/reconnect.js";
import type { Dial } from "../contract/session.js";
import { type Timing, within } from "../runtime/timing.js";

/** Opens a channel in time. A channel that comes too late is closed. */
export async function dial<T extends MessageChannel>(
  open: Dial<T>,
  stop: AbortSignal | undefined,
  timing: Timing,
  ms: number,
): Promise<T> {
  const patience = new AbortController();
  const dialed = open(patience.signal);
  if (!isThenable(dialed)) return dialed;
  let stopped = () => {};
  const closed = new Promise<never>((_resolve, reject) => {
    stopped = () => reject(new LocalError("CLOSED", "the session was closed"));
    stop?.addEventListener("abort", stopped);
  });
  try {
    const late = () => new LocalError("TIMEOUT", `the connection was not opened in ${ms} ms`);
    return await within(timing, ms, Promise.race([dialed, closed]), late);
  } catch (error) {
    patience.abort();
    dialed.then(
      (channel) => channel.close(),
      () => {},
    );
    throw error;
  } finally {
    stop?.removeEventListener("abort", stopped);
  }
}

/** Explains a refusal. A lost session does not come back. */
export function readRefusal(error: unknown): unknown {
  if (!(error instanceof WireError)) return error;
  if (!error.is("UnknownRequest") && !error.is("SessionMismatch")) return error;
  const text = `the server does not have the session any more: ${error.message}`;
  return new FinalError("REFUSED", text, { cause: error });
}
