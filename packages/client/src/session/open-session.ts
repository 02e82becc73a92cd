import { LocalError, validate as validateAnywhere } from "@askwire/protocol";
import { optionsProblem } from "../connection/handshake.js";
import type { ClientSession, ConnectOptions, Dial, DialedChannel } from "../contract/session.js";
import { systemTiming } from "../runtime/timing.js";
import { LastingSession } from "./lasting-session.js";
import { OpenedSession } from "./opened-session.js";

/**
 * Makes a session: a lasting conversation, and its connection.
 *
 * @param redials set if a lost connection is opened again by the function `to`.
 */
export async function openSession(
  to: DialedChannel | Dial<DialedChannel>,
  redials: boolean,
  given: ConnectOptions,
): Promise<ClientSession> {
  const { validate = validateAnywhere, timing = systemTiming, initializeTimeoutMs = 30_000, signal } = given;
  // A copy: the session may declare other tools and hooks later.
  const options = { ...given, validate, timing, initializeTimeoutMs };
  const problem = optionsProblem(options);
  if (problem !== undefined || signal?.aborted) {
    if (typeof to !== "function") to.close();
    throw problem === undefined ? signal?.reason : new LocalError("BAD_MESSAGE", problem);
  }
  const session = new LastingSession(to, redials, options);
  await session.kept.open(signal).catch((error: unknown) => {
    throw signal?.aborted ? signal.reason : error;
  });
  return new OpenedSession(session);
}
