// @ts-check
// Puts an agent that speaks ACP behind the wire, for the clients of one: node examples/acp-agent.mjs gemini --acp
import { acpAgent } from "@askwire/relays/acp";
import { createServer, serveStdio } from "@askwire/server";

const command = process.argv.slice(2);

// #region acp-agent
const server = createServer({ agent: acpAgent(command) });
await serveStdio(server);
// #endregion acp-agent
