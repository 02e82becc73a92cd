import type { MessageChannel } from "@askwire/protocol";
import type { ClientSession, ConnectOptions, Dial } from "../contract/session.js";
import { openSession } from "./open-session.js";

/**
 * Connects to an agent over a channel and introduces this client (P-CLI-3).
 *
 * @param to a channel, or a function that opens one. In the extended profile the function is called again when the
 * connection is lost, after a wait that grows (P-XCL-2). An end of the channel without a cause is an orderly one: nothing
 * is opened after it. Its signal is aborted when the channel is not awaited any more.
 * @throws LocalError TIMEOUT, CLOSED, BAD_PEER or BAD_MESSAGE (what the options offer does not fit), WireError if the
 * server refuses, whatever the function throws; the channel is closed then. Nothing is tried again before the first
 * connection.
 */
export async function connect(
  to: MessageChannel | Dial<MessageChannel>,
  options: ConnectOptions = {},
): Promise<ClientSession> {
  return await openSession(to, typeof to === "function", options);
}
