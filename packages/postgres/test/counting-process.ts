// A server of a store whose agent asks one question after the other, and resumes, until it is killed. Tests bundle it.
// Arguments: the address of the engine, the schema, the id of the session. Tells the address of the session.
import process from "node:process";
import { createServer } from "../../server/src/index.js";
import { listenWebSocket } from "../../server/src/websocket.js";
import { postgresStore } from "../src/index.js";

/** The questions of a turn: a resumed one begins again with all that were answered. */
const QUESTIONS = 20;

const [connectionString = "", schema = "", id = ""] = process.argv.slice(2);
const server = createServer({
  agent: {
    resumes: true,
    async run(turn) {
      for (let nth = 1; nth <= QUESTIONS; nth += 1) {
        const { answer } = await turn.ask(`Question ${nth}?`, ["Even", "Odd"]);
        turn.say(`${nth} ${answer}\n`);
      }
    },
  },
  resume: "now",
  store: await postgresStore({ connectionString, schema, leaseMs: 2_000 }),
});
const gateway = await listenWebSocket(server);
process.send?.(gateway.address(await server.openSession({ id, stay: true })));
