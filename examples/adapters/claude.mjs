// An agent of Claude's SDK whose questions and calls are put to people. Usage: node claude.mjs ADDRESS
// #region claude
import { query } from "@anthropic-ai/claude-agent-sdk";
import { claudeHandlers } from "@askwire/adapters/claude";
import { connectWebSocket } from "@askwire/client/websocket";

const [address = "", prompt = "Note in notes.txt which database we use"] = process.argv.slice(2);
const session = await connectWebSocket(address, { client: { name: "notes agent" } });
const people = claudeHandlers(session, { folder: process.cwd() });
for await (const message of query({ prompt, options: { permissionMode: "default", ...people } })) {
  if (message.type === "result" && message.subtype === "success") console.log(message.result);
}
await session.close();
// #endregion claude
