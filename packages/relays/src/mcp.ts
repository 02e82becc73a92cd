// The face with servers of the Model Context Protocol (MCP), whose tools an agent of ours gets. The SDK of MCP is an
// optional peer.
export { type McpToolOptions, mcpTools } from "./mcp/mcp-tools.js";
export type { HttpServer, McpServer, StdioServer } from "./mcp/server-options.js";
