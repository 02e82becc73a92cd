// @ts-check
// A custom dialect: the tool `confirm`, whose result is yes, no, or why there is neither. To see it:
//   node_modules/.bin/askwire chat -- node examples/own-dialect.mjs

import { modelAgent, scriptedModel } from "@askwire/agent";
import { createServer, serveStdio, ToolError } from "@askwire/server";

// #region own-dialect
/** @param {string} why */
const neither = (why) => () => ({ is_error: true, output: `Neither yes nor no: ${why}.` });

/**
 * The text for the model, for each ending of a question. The compiler reports a missing ending.
 *
 * @type {import("@askwire/server").Endings}
 */
const endings = {
  answered: ({ answer }) => ({ output: Object.values(answer.answers).join().toLowerCase() }),
  dismissed: () => ({ output: "no", stopsTurn: true }),
  discuss: ({ outcome }) => ({ output: `Not yet: ${outcome.note ?? "the person wants to talk first"}` }),
  deadline: neither("the time is over"),
  superseded: neither("a newer question took its place"),
  agent: neither("the agent gave it up"),
  unattended: neither("nobody is there"),
  unsupported: neither("ask in your text"),
  do_not_ask: neither("the person does not want to be asked"),
  client_lost: neither("the connection was lost"),
  subagent: neither("only the main agent may ask"),
  limit: neither("too many questions are open"),
  protocol_error: neither("the client failed"),
  not_kept: neither("the question could not be saved"),
};

/** @type {import("@askwire/server").Asking["read"]} */
function read({ function: call }) {
  const { question } = JSON.parse(call.arguments ?? "{}");
  if (typeof question !== "string") return { is_error: true, output: 'Expected {"question": "…"}.' };
  const questions = [{ question, options: [{ label: "Yes" }, { label: "No" }], own_text: false }];
  return { questions, endings };
}

/** @type {import("@askwire/server").Dialect} */
const confirm = {
  name: "confirm",
  tool: {
    name: "confirm",
    description: "Asks the person whether something is to be done, and waits.",
    parameters: { type: "object", properties: { question: { type: "string" } }, required: ["question"] },
  },
  pending: "queue",
  exclusive: true,
  begin: () => ({
    read,
    outside: (missing) => new ToolError({ brief: "Not here", message: `No ${missing}.` }),
  }),
};
// #endregion own-dialect

const scripts = [
  `tool_call: id=call-1 name=confirm arguments='{"question": "Delete the logs of last year?"}'`,
  "text: I keep to that.",
];
// A model for each session, since it counts its calls.
const agent = () => modelAgent({ model: scriptedModel(scripts) });

await serveStdio(createServer({ agent, dialects: [confirm] }));
