import { WireError } from "@askwire/protocol";
import { toWireError } from "@askwire/protocol/internal";

/**
 * The error for clients (P-ERR-3). An error with a code stays unchanged. An exception becomes `-32603`, which names the
 * place in the log.
 *
 * @param failed the failed thing, as the subject of a sentence.
 * @param place the place in the line of the log, such as `turn 7`.
 * @param raw set if clients are told the exception's name and message instead.
 */
export function errorForClients(error: unknown, failed: string, place: string, raw: boolean): WireError {
  if (raw || error instanceof WireError) return toWireError(error);
  const text = `${failed} with an exception: the server's log has it, under ${place}`;
  return new WireError("InternalError", text, { cause: error });
}
