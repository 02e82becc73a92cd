// @ts-check
// A client over a connection of vscode-jsonrpc, which picks the first option. Try it:
// node jsonrpc-client.mjs node jsonrpc-server.mjs
// #region jsonrpc-client
import { spawn } from "node:child_process";
import { connectJsonRpc, LineMessageReader, LineMessageWriter } from "@askwire/client/vscode-jsonrpc";
import { createMessageConnection } from "vscode-jsonrpc/node";

const [command = "", ...args] = process.argv.slice(2);
const { stdin, stdout } = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
const connection = createMessageConnection(new LineMessageReader(stdout), new LineMessageWriter(stdin));
const session = await connectJsonRpc(connection, {
  handlers: {
    question: ({ questions }) => ({
      items: questions.map(({ id, options }) => ({ question_id: id, selected: [options[0]?.id ?? ""] })),
    }),
  },
});
for await (const { type, payload } of session.prompt("Set up the project"))
  if (type === "ContentPart" && payload.type === "text") console.log(payload.text);
await session.close();
// #endregion jsonrpc-client
