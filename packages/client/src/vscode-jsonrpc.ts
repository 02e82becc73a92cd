// The client over vscode-jsonrpc, in any runtime: `@askwire/client/vscode-jsonrpc`.

import { type JsonRpcTransport, jsonRpcChannel } from "@askwire/protocol/vscode-jsonrpc";
import { checkGiven } from "#checks";
import type { ClientSession, ConnectOptions } from "./contract/session.js";
import { openSession } from "./session/open-session.js";

export {
  type JsonRpcTransport,
  LineMessageReader,
  type LineMessageReaderOptions,
  LineMessageWriter,
} from "@askwire/protocol/vscode-jsonrpc";

/**
 * Connects over a reader and a writer of `vscode-jsonrpc`, or over a connection, which is then the engine too (P-VSJ-1 to
 * P-VSJ-3). The session's `close` ends them; a stream below is left to its owner.
 *
 * @param options of its `limits`, `unsentBytes` is 64 Mi by default, counted in UTF-16 units.
 * @throws as `connect`.
 */
export async function connectJsonRpc(
  transport: JsonRpcTransport,
  options: ConnectOptions = {},
): Promise<ClientSession> {
  checkGiven("connectJsonRpc", "connect", options);
  return await openSession(jsonRpcChannel(transport, options.limits), false, options);
}
