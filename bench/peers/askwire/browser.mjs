/** @import { Answerer } from "../../contract.js" */
import { connectWebSocket } from "@askwire/client/websocket";
import { answeringConnection, answeringOptions } from "./answering.mjs";

/** @type {(url: string, answerer: Answerer) => Promise<void>} */
export async function connect(url, answerer) {
  const session = await connectWebSocket(url, answeringOptions(answerer, "extended"));
  await answeringConnection(session, answerer).begin?.();
}
