/** @import { Answerer, Connection } from "../../contract.js" */
/** @import { MessageConnection } from "vscode-jsonrpc" */
/** @import { Readable, Writable } from "node:stream" */
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node";

/** @type {(connection: MessageConnection, answerer: Answerer) => Connection} */
function answering(connection, answerer) {
  connection.onRequest("question", async ({ id, questions: [{ question, options }] }) => {
    const choice = answerer.decide(question);
    const { label } = options[typeof choice === "number" ? choice : await choice];
    return { request_id: id, answers: { [question]: label } };
  });
  connection.listen();
  return {};
}

/** @type {(input: Readable, output: Writable, answerer: Answerer) => Connection} */
export function overStdio(input, output, answerer) {
  const connection = createMessageConnection(new StreamMessageReader(input), new StreamMessageWriter(output));
  return answering(connection, answerer);
}

/** @type {(url: string, answerer: Answerer) => Promise<Connection>} */
export async function overWebSocket(url, answerer) {
  const { WebSocket } = await import("ws");
  const { SocketReader, SocketWriter } = await import("./sockets.mjs");
  const socket = new WebSocket(url, { perMessageDeflate: false });
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  return answering(createMessageConnection(new SocketReader(socket), new SocketWriter(socket)), answerer);
}
