// An MCP server of the official SDK with one tool, which does nothing.
import { Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

serveStdio(() => {
  const server = new Server({ name: "bare", version: "1" }, { capabilities: { tools: {} } });
  const inputSchema = { type: /** @type {const} */ ("object") };
  server.setRequestHandler("tools/list", async () => ({ tools: [{ name: "nothing", inputSchema }] }));
  server.setRequestHandler("tools/call", async () => ({ content: [{ type: "text", text: "done" }] }));
  return server;
});
