/** @import { Answerer, ClientModule } from "../../contract.js" */
import { setImmediate as nextTask } from "node:timers/promises";
import * as extended from "../askwire-extended/client.mjs";

/** Answers in a later task, as a person does: the client tells first that it has the question. @type {(answerer: Answerer) => Answerer} */
function later({ decide, heard }) {
  return { heard, decide: (question) => nextTask().then(() => decide(question)) };
}

/** @type {ClientModule["overStdio"]} */
export const overStdio = (input, output, answerer) => extended.overStdio(input, output, later(answerer));

/** @type {NonNullable<ClientModule["overWebSocket"]>} */
export const overWebSocket = (url, answerer) => extended.overWebSocket(url, later(answerer));
