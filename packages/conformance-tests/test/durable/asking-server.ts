// A server of one kept session, whose people programs ask over WebSocket, until it is killed or told to end. Tests
// bundle it. Argument: the folder of the session.
import process from "node:process";
import { createServer, keepIn } from "@askwire/server";
import { listenWebSocket } from "@askwire/server/websocket";

const log = { debug() {}, info() {}, warn() {}, error() {} };
const [share = ""] = process.argv.slice(2);
const server = createServer({
  agent: { async run() {} },
  attendance: "hold",
  log,
  keep: (id) => keepIn({ share, workDir: "/project", log })(id),
});
const session = server.createSession({ id: "asks", stay: true });
const listening = await listenWebSocket(server, { port: 0 });
process.once("SIGTERM", async () => {
  await listening.close();
  await server.close();
  process.exit(0);
});
process.send?.(listening.address(session));
