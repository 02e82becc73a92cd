// @ts-check
// An agent that asks for values: a whole number, a yes or no, and a date that may stay empty.
import { createServer, QuestionRequest, serveStdio, wireSend } from "@askwire/server";

/** @type {import("@askwire/server").Agent} */
const agent = {
  async run(turn) {
    // #region typed-fields
    const request = new QuestionRequest({
      tool_call_id: turn.id,
      questions: [
        {
          question: "Which port?",
          field: { type: "integer", bounds: { min: 1024, max: 65535 }, prefill: "8080" },
        },
        { question: "May other machines connect?", field: { type: "boolean" } },
        { question: "Until when?", field: { type: "date", required: false } },
      ],
    });
    wireSend(request);
    const answers = await request.wait();
    const port = Number(answers["Which port?"]);
    const host = answers["May other machines connect?"] === "true" ? "0.0.0.0" : "127.0.0.1";
    // #endregion typed-fields
    turn.say(`I listen on ${host}:${port}${until(answers["Until when?"])}.`);
  },
};

/** @param {string | undefined} date */
const until = (date) => (date === undefined ? "" : ` until ${date}`);

await serveStdio(createServer({ agent }));
