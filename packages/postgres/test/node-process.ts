// A node of a schema, as docs/postgres.md shows it, until it is killed. Tests bundle it.
// Arguments: the address of the engine, the schema, the port, the lease in milliseconds, and the port at which other nodes
// reach it, where that is another. A message `ID` opens a session, which is told then. Its agent asks twice.
import process from "node:process";
import { createServer } from "../../server/src/index.js";
import { listenWebSocket } from "../../server/src/websocket.js";
import { postgresStore } from "../src/index.js";
import { linkSecret, token } from "./node-secrets.js";

const [connectionString = "", schema = "", port = "", leaseMs = "2000", linked = port] =
  process.argv.slice(2);
const store = await postgresStore({
  ...{ connectionString, schema, leaseMs: Number(leaseMs), nodeAddress: `ws://127.0.0.1:${linked}` },
});
const server = createServer({
  agent: {
    resumes: true,
    async run(turn) {
      for (let asked = 1; asked <= 2; asked += 1) {
        const { answer } = await turn.ask(`Which colour, the ${asked}. time?`, ["Red", "Blue"], {
          key: String(asked),
        });
        turn.say(`${asked}: ${answer}. `);
      }
    },
  },
  store,
  resume: "now",
  attendance: "hold",
});
const gateway = await listenWebSocket(server, {
  ...{ port: Number(port), token, nodes: { linkSecret, ownerOf: (id: string) => store.ownerOf(id) } },
});
process.on("message", async (id) => {
  await server.openSession({ id: String(id), stay: true });
  process.send?.(`opened ${id}`);
});
process.once("SIGTERM", async () => {
  await Promise.all([gateway.close(), server.close()]);
  process.disconnect();
});
process.send?.("listens");
