// @ts-check
// An agent that asks one question and says what it does with the answer. Try it: askwire chat -- node first-server.mjs
// #region first-server
import { createServer, QuestionRequest, serveStdio, wireSend } from "@askwire/server";

/** @type {import("@askwire/server").Agent} */
const agent = {
  async run(turn) {
    const question = "Which database?";
    const options = [{ label: "SQLite", description: "One file" }, { label: "PostgreSQL" }];
    const request = new QuestionRequest({ tool_call_id: turn.id, questions: [{ question, options }] });
    wireSend(request);
    const { [question]: database } = await request.wait();
    turn.say(database === undefined ? "I leave the database out." : `I set up ${database}.`);
  },
};

await serveStdio(createServer({ agent }));
// #endregion first-server
