// @ts-check
// A tool that asks, and an agent that calls it, as a model would, and says what it reads. Try it:
// askwire chat -- node first-server.mjs
// #region first-server
import { ask, createServer, defineTool, serveStdio } from "@askwire/server";

const chooseDatabase = defineTool({
  name: "ChooseDatabase",
  description: "Asks which database to use.",
  parameters: { type: "object" },
  async run() {
    const { answer, toolError } = await ask("Which database?", ["SQLite", "PostgreSQL"]);
    return answer === undefined ? toolError : answer;
  },
});

const server = createServer({
  agent: {
    async run(turn) {
      const { is_error, output } = await turn.callTool(chooseDatabase, {});
      turn.say(is_error ? "No database yet: tell me which one you want." : `I set up ${output}.`);
    },
  },
});

await serveStdio(server);
// #endregion first-server
