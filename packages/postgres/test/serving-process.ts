// A server of a store, as docs/postgres.md shows it, whose agent asks a question, until it is killed. Tests bundle it.
// Arguments: the address of the engine, the schema, the id of the session. Tells the address of the session.
import process from "node:process";
import { createServer } from "../../server/src/index.js";
import { listenWebSocket } from "../../server/src/websocket.js";
import { postgresStore } from "../src/index.js";

const [connectionString = "", schema = "", id = ""] = process.argv.slice(2);
const server = createServer({
  agent: {
    resumes: true,
    async run(turn) {
      const { answer } = await turn.ask("Which colour?", ["Red", "Blue"]);
      turn.say(`${answer} it is.`);
    },
  },
  store: await postgresStore({ connectionString, schema, leaseMs: 2_000 }),
});
const gateway = await listenWebSocket(server);
process.send?.(gateway.address(await server.openSession({ id })));
