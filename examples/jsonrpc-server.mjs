// @ts-check
// An agent over a connection of vscode-jsonrpc, for any client of lines: askwire chat -- node jsonrpc-server.mjs
// #region jsonrpc-server
import { choose, createServer } from "@askwire/server";
import { LineMessageReader, LineMessageWriter, serveJsonRpc } from "@askwire/server/vscode-jsonrpc";
import { createMessageConnection } from "vscode-jsonrpc/node";

/** @type {import("@askwire/server").Agent} */
const agent = {
  async run(turn) {
    const options = /** @type {const} */ ([
      { id: "npm", label: "npm" },
      { id: "pnpm", label: "pnpm" },
    ]);
    const { chosen = "nothing" } = await choose({ question: "Which package manager?", options });
    turn.say(`I use ${chosen}.`);
  },
};
const reader = new LineMessageReader(process.stdin);
const connection = createMessageConnection(reader, new LineMessageWriter(process.stdout));
await serveJsonRpc(createServer({ agent }), connection).closed;
// #endregion jsonrpc-server
