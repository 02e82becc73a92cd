import type { MessageChannel } from "@askwire/protocol";
import { checkGiven } from "#checks";
import type { ClientSession, ConnectOptions, Dial } from "../contract/session.js";
import { openSession } from "./open-session.js";

/**
 * Connects to an agent over a channel and introduces this client (P-CLI-3).
 *
 * @param to a channel, or a function that opens a channel. Its signal is aborted when the channel is no longer awaited.
 * In the extended profile a lost connection calls the function again, after a growing wait (P-XCL-2). An end without a
 * cause is an orderly end: no other channel is opened.
 * @throws TypeError in Node for an option that is unknown or does not fit; a browser reads what it knows.
 * @throws LocalError TIMEOUT, CLOSED, BAD_PEER or BAD_MESSAGE (invalid options).
 * @throws WireError if the server refuses, and any error of the function. The channel is then closed. Nothing is tried
 * again before the first connection.
 */
export async function connect(
  to: MessageChannel | Dial<MessageChannel>,
  options: ConnectOptions = {},
): Promise<ClientSession> {
  checkGiven("connect", "connect", options);
  return await openSession(to, typeof to === "function", options);
}
