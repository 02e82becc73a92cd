// Asks one question that stays open, in a session of a store, and ends: others have the session then.
import { connect } from "@askwire/client";
import { postgresStore } from "@askwire/postgres";
import { linkedPair } from "@askwire/protocol/testing";
import { createServer } from "@askwire/server";

/** @type {{ engine: { connectionString: string, schema: string }, id: string }} */
const { engine, id } = JSON.parse(process.argv[2] ?? "{}");

const store = await postgresStore(engine);
const server = createServer({ agent: { async run() {} }, attendance: "hold", store });
const { left, right } = linkedPair(() => {});
server.connect(left, { session: await server.openSession({ id, stay: true }) });
const program = await connect(right, { client: { name: "deployer" }, handlers: {} });
const questions = [
  { question: "May I deploy part 000000 today?", options: [{ label: "Yes" }, { label: "No" }] },
];
await program.ask({ key: "k", wait: false, questions });
await program.close();
await server.close();
process.send?.("asked");
process.disconnect?.();
