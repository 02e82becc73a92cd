// @ts-check
// A custom loop: no model, no framework. The tool asks from inside its call, the loop does not know that it does.
// #region own-loop
import { ask, createServer, defineTool, serveStdio } from "@askwire/server";
import * as z from "zod";

const rankTask = defineTool({
  name: "RankTask",
  description: "Asks how urgent a task is.",
  parameters: z.object({ task: z.string() }),
  async run({ task }) {
    const asked = await ask(`How urgent is "${task}"?`, ["Today", "This week", "Later"]);
    return asked.answer === undefined ? asked.toolError : asked.answer;
  },
});

/** @type {import("@askwire/server").Agent} */
const agent = {
  async run(turn) {
    for (const task of String(turn.input).split(",")) {
      turn.step();
      const { is_error, output, message } = await turn.callTool(rankTask, { task: task.trim() });
      turn.say(`${task.trim()}: ${is_error ? message : output}\n`);
    }
  },
};
// #endregion own-loop

await serveStdio(createServer({ agent }));
