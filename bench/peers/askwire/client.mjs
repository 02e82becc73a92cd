/** @import { Answerer, Connection } from "../../contract.js" */
/** @import { Readable, Writable } from "node:stream" */
import { connectStreams } from "@askwire/client/stdio";
import { answeringConnection, answeringOptions, sharingConnection, sharingOptions } from "./answering.mjs";

const profile = "base";

/** @type {(input: Readable, output: Writable, answerer: Answerer) => Promise<Connection>} */
export async function overStdio(input, output, answerer) {
  const session = await connectStreams(input, output, answeringOptions(answerer, profile));
  return answeringConnection(session, answerer);
}

/** @type {(url: string, answerer: Answerer) => Promise<Connection>} */
export async function overWebSocket(url, answerer) {
  const { connectWebSocket } = await import("@askwire/client/websocket");
  return answeringConnection(await connectWebSocket(url, answeringOptions(answerer, profile)), answerer);
}

/** @type {(url: string, answerer: Answerer) => Promise<Connection>} */
export async function overShared(url, answerer) {
  const { connectWebSocket } = await import("@askwire/client/websocket");
  return sharingConnection(await connectWebSocket(url, sharingOptions(answerer, profile)));
}
