// A server of MCP on the official SDK 1.x, which asks with elicitation/create.
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { UrlElicitationRequiredError } from "@modelcontextprotocol/sdk/types.js";

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
// Refused as often as the first argument says.
let refusals = Number(process.argv[2] ?? 0);
server.registerTool("login", { description: "Wants a login first" }, async () => {
  if (refusals-- <= 0) return { content: [{ type: "text", text: "worked" }] };
  const asked = { mode: "url", message: "Log in", url: "https://example.org/in", elicitationId: "e2" };
  throw new UrlElicitationRequiredError([asked]);
});
await server.connect(new StdioServerTransport());
