// Puts an agent of the wire or of ACP, named in the arguments, before any number of people over WebSocket.

// #region relay
import { startAgent } from "@askwire/relays/acp";
import { createServer } from "@askwire/server";
import { listenWebSocket } from "@askwire/server/websocket";

const { agent, protocol } = await startAgent(process.argv.slice(2), { cwd: process.cwd() });
const server = createServer({ agent });
const gateway = await listenWebSocket(server);
console.log(`${protocol} ${gateway.address(server.createSession())}`);
// #endregion relay
