/** @import { Answerer } from "../../contract.js" */
import {
  AbstractMessageReader,
  AbstractMessageWriter,
  createMessageConnection,
} from "vscode-jsonrpc/browser";

class SocketReader extends AbstractMessageReader {
  /** @param {WebSocket} socket */
  constructor(socket) {
    super();
    this.socket = socket;
  }

  /** @param {import("vscode-jsonrpc").DataCallback} callback */
  listen(callback) {
    this.socket.onmessage = ({ data }) => callback(JSON.parse(data));
    this.socket.onclose = () => this.fireClose();
    return { dispose() {} };
  }
}

class SocketWriter extends AbstractMessageWriter {
  /** @param {WebSocket} socket */
  constructor(socket) {
    super();
    this.socket = socket;
  }

  /** @param {import("vscode-jsonrpc").Message} message */
  async write(message) {
    this.socket.send(JSON.stringify(message));
  }

  end() {}
}

/** @type {(url: string, answerer: Answerer) => void} */
export function connect(url, answerer) {
  const socket = new WebSocket(url);
  const connection = createMessageConnection(new SocketReader(socket), new SocketWriter(socket));
  connection.onRequest("question", async ({ id, questions: [{ question, options }] }) => {
    const { label } = options[await answerer.decide(question)];
    return { request_id: id, answers: { [question]: label } };
  });
  connection.listen();
}
