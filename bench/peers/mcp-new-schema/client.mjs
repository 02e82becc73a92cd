export { overStdio } from "../mcp/client.mjs";
