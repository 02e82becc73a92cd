/** @import { WebSocket } from "ws" */
/** @import { DataCallback, Message } from "vscode-jsonrpc" */
import { AbstractMessageReader, AbstractMessageWriter } from "vscode-jsonrpc/node";

/** Reads a message from each text frame. */
export class SocketReader extends AbstractMessageReader {
  /** @param {WebSocket} socket */
  constructor(socket) {
    super();
    this.socket = socket;
  }

  /** @param {DataCallback} callback */
  listen(callback) {
    this.socket.on("message", (data) => callback(JSON.parse(String(data))));
    this.socket.on("close", () => this.fireClose());
    return { dispose() {} };
  }
}

export class SocketWriter extends AbstractMessageWriter {
  /** @param {WebSocket} socket */
  constructor(socket) {
    super();
    this.socket = socket;
  }

  /** @param {Message} message */
  async write(message) {
    this.socket.send(JSON.stringify(message));
  }

  end() {}
}
