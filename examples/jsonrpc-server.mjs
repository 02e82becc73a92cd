// @ts-check
// An agent over a connection of vscode-jsonrpc, for any client of lines: askwire chat -- node jsonrpc-server.mjs
// #region jsonrpc-server
import { createServer } from "@askwire/server";
import { LineMessageReader, LineMessageWriter, serveJsonRpc } from "@askwire/server/vscode-jsonrpc";
import { createMessageConnection } from "vscode-jsonrpc/node";

/** @type {import("@askwire/server").Agent} */
const agent = {
  async run(turn) {
    const { answer = "nothing" } = await turn.ask("Which package manager?", ["npm", "pnpm"]);
    turn.say(`I use ${answer}.`);
  },
};
const reader = new LineMessageReader(process.stdin);
const connection = createMessageConnection(reader, new LineMessageWriter(process.stdout));
await serveJsonRpc(createServer({ agent }), connection).closed;
// #endregion jsonrpc-server
