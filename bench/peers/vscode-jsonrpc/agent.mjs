/** @import { Asker, Serve } from "../../contract.js" */
/** @import { MessageConnection } from "vscode-jsonrpc" */
/** @import { AddressInfo } from "node:net" */
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node";

/** @type {(connection: MessageConnection) => Asker} */
function createAsker(connection) {
  let last = 0;
  connection.listen();
  return {
    async ask({ question, header, options }) {
      const questions = [{ question, header, options, multi_select: false }];
      const params = { id: `q${++last}`, tool_call_id: "c1", questions };
      /** @type {{ answers: Record<string, string> }} */
      const { answers } = await connection.sendRequest("question", params);
      return answers[question] ?? "";
    },
  };
}

/** @type {(serve: Serve) => void} */
export function overStdio(serve) {
  const reader = new StreamMessageReader(process.stdin);
  serve(createAsker(createMessageConnection(reader, new StreamMessageWriter(process.stdout))));
}

/** @type {(serve: Serve) => Promise<string>} */
export async function overWebSocket(serve) {
  const { WebSocketServer } = await import("ws");
  const { SocketReader, SocketWriter } = await import("./sockets.mjs");
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0, perMessageDeflate: false });
  server.on("connection", (socket) => {
    serve(createAsker(createMessageConnection(new SocketReader(socket), new SocketWriter(socket))));
  });
  await new Promise((resolve) => server.once("listening", resolve));
  return `ws://127.0.0.1:${/** @type {AddressInfo} */ (server.address()).port}`;
}
