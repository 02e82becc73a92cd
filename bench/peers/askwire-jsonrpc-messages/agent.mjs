/** @import { Serve } from "../../contract.js" */
import { LineMessageReader, LineMessageWriter, serveJsonRpc } from "@askwire/server/vscode-jsonrpc";
import { askingServer } from "../askwire/agent.mjs";

/** @type {(serve: Serve) => Promise<void>} */
export function overStdio(serve) {
  const reader = new LineMessageReader(process.stdin);
  const writer = new LineMessageWriter(process.stdout);
  return serveJsonRpc(askingServer(serve), { reader, writer }).closed;
}
