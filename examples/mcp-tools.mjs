// @ts-check
// An agent with the tools of a server of MCP, over standard input and output: node mcp-tools.mjs node server.mjs

import { modelAgent, scriptedModel } from "@askwire/agent";
import { mcpTools } from "@askwire/relays/mcp";
import { createServer, serveStdio } from "@askwire/server";

const [program = "node", ...args] = process.argv.slice(2);
/** @type {[string, ...string[]]} */
const command = [program, ...args];
const model = scriptedModel([
  'tool_call: {"id":"1","name":"mcp__notes__ask","arguments":"{}"}',
  "text: done",
]);

// #region mcp-tools
const servers = new Map([["notes", { command }]]);
const server = createServer({
  agent: (session) => modelAgent({ model, toolSets: [mcpTools(servers, session)] }),
});
await serveStdio(server);
// #endregion mcp-tools
