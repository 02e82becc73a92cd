/** @import { Answerer, Connection } from "../../contract.js" */
/** @import { Readable, Writable } from "node:stream" */
import { connectJsonRpc, LineMessageReader, LineMessageWriter } from "@askwire/client/vscode-jsonrpc";
import { validateCompiled } from "@askwire/protocol/node";
import { createMessageConnection } from "vscode-jsonrpc/node";
import { answeringConnection, answeringOptions } from "../askwire/answering.mjs";

/** @type {(input: Readable, output: Writable, answerer: Answerer) => Promise<Connection>} */
export async function overStdio(input, output, answerer) {
  const connection = createMessageConnection(new LineMessageReader(input), new LineMessageWriter(output));
  const options = { validate: validateCompiled, ...answeringOptions(answerer, "base") };
  return answeringConnection(await connectJsonRpc(connection, options), answerer);
}
