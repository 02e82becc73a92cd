// The server over vscode-jsonrpc: `@askwire/server/vscode-jsonrpc`.

import { checkOptions } from "@askwire/protocol/internal";
import { type JsonRpcTransport, jsonRpcChannel } from "@askwire/protocol/vscode-jsonrpc";
import {
  type AskwireServer,
  type ConnectedClient,
  type ConnectOptions,
  connectionRules,
} from "./server/server.js";

export {
  type JsonRpcTransport,
  LineMessageReader,
  type LineMessageReaderOptions,
  LineMessageWriter,
} from "@askwire/protocol/vscode-jsonrpc";

/**
 * Serves a client over a reader and a writer of `vscode-jsonrpc`, or over a connection, which is then the engine
 * (P-VSJ-1 to P-VSJ-3). Its `close` ends them. A stream below is left to its owner.
 *
 * @param options as those of `server.connect`.
 * @throws as `server.connect`.
 */
export function serveJsonRpc(
  server: AskwireServer,
  transport: JsonRpcTransport,
  options: ConnectOptions = {},
): ConnectedClient {
  checkOptions("serveJsonRpc", options, connectionRules);
  return server.connect(jsonRpcChannel(transport, server.limits), options);
}
