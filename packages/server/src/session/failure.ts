import { WireError } from "@askwire/protocol";
import { toWireError } from "@askwire/protocol/internal";

/**
 * The error that clients are told: one with a code as it is, an exception as `-32603` that says where the log has it
 * (P-ERR-3).
 *
 * @param failed what failed, as the subject of a sentence.
 * @param place what the line of the log names, such as `turn 7`.
 * @param raw whether clients are told the exception's name and message instead.
 */
export function errorForClients(error: unknown, failed: string, place: string, raw: boolean): WireError {
  if (raw || error instanceof WireError) return toWireError(error);
  const text = `${failed} with an exception: the server's log has it, under ${place}`;
  return new WireError("InternalError", text, { cause: error });
}
