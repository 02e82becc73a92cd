// Asks the people at a server to fill in a form, by its JSON Schema. Usage: node form.mjs ADDRESS
// #region form
import { fillForm } from "@askwire/client/json-schema";
import { connectWebSocket } from "@askwire/client/websocket";

const [address = ""] = process.argv.slice(2);
const session = await connectWebSocket(address, { client: { name: "release form" } });
const schema = {
  type: "object",
  properties: {
    build: { type: "integer", minimum: 1 },
    target: { type: "string", enum: ["staging", "production"] },
  },
  required: ["build", "target"],
};
// Each round has a key of its own: a program that starts again finds what it asked.
const form = { message: "What should be released?", schema };
const end = await fillForm(form, (questions, round) => session.ask({ questions, key: `release-${round}` }));
console.log("content" in end ? Object.fromEntries(end.content) : end);
await session.close();
// #endregion form
