import type { MessageConnection, MessageReader, MessageWriter } from "vscode-jsonrpc";
import type { MessageChannel } from "../framing/channel.js";
import { defaultLimits, type Limits } from "../limits.js";
import { ConnectionChannel } from "./connection-channel.js";
import { ReaderWriterChannel } from "./reader-writer-channel.js";

/** A connection of `vscode-jsonrpc`, or a reader and a writer of which a connection could be made. */
export type JsonRpcTransport =
  | MessageConnection
  | { readonly reader: MessageReader; readonly writer: MessageWriter };

const UNSENT = 64 * 1024 * 1024;

/**
 * Makes a channel of a reader and a writer, or of a connection, which is then the engine too (P-VSJ-1 to P-VSJ-3). A
 * closed channel ends both after what was sent.
 *
 * @param limits of them `unsentBytes`, in UTF-16 units and by default 64 Mi, and `unansweredRequests` count here.
 */
export function jsonRpcChannel(transport: JsonRpcTransport, limits: Partial<Limits> = {}): MessageChannel {
  const { unsentBytes = UNSENT, unansweredRequests = defaultLimits.unansweredRequests } = limits;
  return "reader" in transport
    ? new ReaderWriterChannel(transport.reader, transport.writer, unsentBytes)
    : new ConnectionChannel(transport, { unsentBytes, unansweredRequests });
}
