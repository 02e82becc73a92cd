/** @import { AgentModule } from "../contract.js" */
import { questions } from "../payload.mjs";

/** @type {AgentModule} */
const agent = await import(`../peers/${process.argv[2]}/agent.mjs`);
const [question] = questions;

agent.overStdio(async (asker) => {
  const answer = question && (await asker.ask(question));
  process.exit(answer === question?.expected ? 0 : 1);
});
