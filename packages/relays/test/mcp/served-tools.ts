import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, type McpServer } from "@modelcontextprotocol/server";
import { onTestFinished } from "vitest";
import type { HttpServer } from "../../src/mcp.js";

/** Serves tools over Streamable HTTP from this process, until the test has finished. */
export async function servedTools(make: () => McpServer): Promise<HttpServer> {
  const http = createServer(toNodeHandler(createMcpHandler(make)) as RequestListener);
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/` };
}
