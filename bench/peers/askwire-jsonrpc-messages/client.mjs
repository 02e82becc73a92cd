/** @import { Answerer, Connection } from "../../contract.js" */
/** @import { Readable, Writable } from "node:stream" */
import { connectJsonRpc, LineMessageReader, LineMessageWriter } from "@askwire/client/vscode-jsonrpc";
import { validateCompiled } from "@askwire/protocol/node";
import { answeringConnection, answeringOptions } from "../askwire/answering.mjs";

/** @type {(input: Readable, output: Writable, answerer: Answerer) => Promise<Connection>} */
export async function overStdio(input, output, answerer) {
  const reader = new LineMessageReader(input);
  const writer = new LineMessageWriter(output);
  const options = { validate: validateCompiled, ...answeringOptions(answerer, "base") };
  return answeringConnection(await connectJsonRpc({ reader, writer }, options), answerer);
}
