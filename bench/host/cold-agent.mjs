/** @import { AgentModule } from "../contract.js" */
import { once } from "node:events";
import { questions } from "../payload.mjs";

/** @type {AgentModule} */
const agent = await import(`../peers/${process.argv[2]}/agent.mjs`);
const [question] = questions;

// A client that starts later finds all that is written to it: nothing is, before it was started.
if (process.send !== undefined) {
  process.send("loaded");
  await once(process, "message");
}
agent.overStdio(async (asker) => {
  const answer = question && (await asker.ask(question));
  const code = answer === question?.expected ? 0 : 1;
  if (process.send === undefined) process.exit(code);
  process.send("answered", () => process.exit(code));
});
