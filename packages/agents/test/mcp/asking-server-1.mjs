// A server of MCP on the official SDK 1.x, which asks with elicitation/create.
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";

const server = new McpServer({ name: "older", version: "1.0.0" });
server.registerTool("ask", { description: "Asks" }, async () => {
  const requestedSchema = {
    type: "object",
    properties: { db: { type: "string", enum: ["sqlite", "postgres"] }, count: { type: "integer" } },
    required: ["db", "count"],
  };
  const answer = await server.server.elicitInput({ message: "Which?", requestedSchema });
  return { content: [{ type: "text", text: JSON.stringify(answer) }] };
});
server.registerTool("link", { description: "Asks to open an address" }, async () => {
  const params = { mode: "url", message: "Log in", url: "https://example.org/login", elicitationId: "e1" };
  const asked = server.server.elicitInput(params);
  await server.server.createElicitationCompletionNotifier("e1")();
  return { content: [{ type: "text", text: JSON.stringify(await asked) }] };
});
await server.connect(new StdioServerTransport());
