// A process with one session in a store, whose model asks a question that nobody answers, until it is killed. Tests
// bundle it. Arguments: the address of the engine, the schema, the id of the session. Tells the id of the question.
import process from "node:process";
import { extended } from "../../server/test/extended/extended-client.js";
import { postgresStore } from "../src/index.js";
import { servedFrom } from "./kept-in.js";

const [connectionString = "", schema = "", sessionId = ""] = process.argv.slice(2);
const store = await postgresStore({ connectionString, schema, leaseMs: 2_000 });
const client = extended(servedFrom(store).connect({ sessionId }).client);
await client.introduce();
void client.call("prompt", { user_input: "go", turn_id: "t-1" });
process.send?.((await client.asked("QuestionRequest")).id);
