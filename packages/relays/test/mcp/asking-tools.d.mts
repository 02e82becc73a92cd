import type { McpServer } from "@modelcontextprotocol/server";

export declare function askingServer(): McpServer;
