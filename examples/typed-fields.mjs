// @ts-check
// An agent that asks for values: a whole number, a yes or no, and a date that may stay empty.
import { createServer, serveStdio } from "@askwire/server";

/** @type {import("@askwire/server").Agent} */
const agent = {
  async run(turn) {
    // #region typed-fields
    const asked = await turn.ask({
      port: {
        question: "Which port?",
        field: { type: "integer", bounds: { min: 1024, max: 65535 }, prefill: "8080" },
      },
      open: { question: "May other machines connect?", field: { type: "boolean" } },
      end: { question: "Until when?", field: { type: "date", required: false } },
    });
    if (asked.answer === undefined) return turn.say("I do not listen.");
    const { port, open, end } = asked.answer; // a number, a boolean and a text, each undefined where it was skipped
    const host = open ? "0.0.0.0" : "127.0.0.1";
    // #endregion typed-fields
    turn.say(`I listen on ${host}:${port}${until(end)}.`);
  },
};

/** @param {string | undefined} date */
const until = (date) => (date === undefined ? "" : ` until ${date}`);

await serveStdio(createServer({ agent }));
