// An agent that puts the questions of a file to the person, with every extended feature. The items of the answer are
// said. Usage: node previewing-agent.mjs FILE
import { readFileSync } from "node:fs";
import { createServer, QuestionRequest, serveStdio, wireSend } from "@askwire/server";

const [file = ""] = process.argv.slice(2);

const server = createServer({
  agent: {
    async run(turn) {
      const questions = JSON.parse(readFileSync(file, "utf8"));
      const request = new QuestionRequest({ tool_call_id: turn.id, questions });
      wireSend(request);
      const { items } = await request.waitForAnswer();
      turn.say(`Got ${JSON.stringify(items)}.\n`);
    },
  },
});
await serveStdio(server);
