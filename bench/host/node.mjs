// A node of a schema in PostgreSQL, until it is killed. The order comes as an argument. It tells its port, and with each
// message the bytes that the process has in memory.
import { once } from "node:events";
import { createServer as createListener } from "node:net";
import process from "node:process";
import { postgresStore } from "@askwire/postgres";
import { createServer } from "@askwire/server";
import { listenWebSocket } from "@askwire/server/websocket";

/** @type {{ engine: { connectionString: string, schema: string }, token: string, leaseMs: number }} */
const { engine, token, leaseMs } = JSON.parse(process.argv[2] ?? "{}");

const listener = createListener().listen(0, "127.0.0.1");
await once(listener, "listening");
/** @type {any} */
const { port } = listener.address();
listener.close();
await once(listener, "close");

const store = await postgresStore({ ...engine, leaseMs, nodeAddress: `ws://127.0.0.1:${port}` });
const log = { debug() {}, info() {}, warn() {}, error: console.error };
const server = createServer({ agent: { resumes: true, async run() {} }, attendance: "hold", store, log });
await listenWebSocket(server, {
  ...{ port, token, log },
  nodes: { linkSecret: "a-secret-of-the-nodes-of-a-bench", ownerOf: (id) => store.ownerOf(id) },
});
process.on("message", () => {
  globalThis.gc?.();
  process.send?.(process.memoryUsage.rss());
});
process.send?.(port);
