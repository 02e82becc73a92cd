/** @import { Serve } from "../../contract.js" */
import { LineMessageReader, LineMessageWriter, serveJsonRpc } from "@askwire/server/vscode-jsonrpc";
import { createMessageConnection } from "vscode-jsonrpc/node";
import { askingServer } from "../askwire/agent.mjs";

/** @type {(serve: Serve) => Promise<void>} */
export function overStdio(serve) {
  const reader = new LineMessageReader(process.stdin);
  const connection = createMessageConnection(reader, new LineMessageWriter(process.stdout));
  return serveJsonRpc(askingServer(serve), connection).closed;
}
