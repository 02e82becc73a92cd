/** @import { Answerer, Connection } from "../../contract.js" */
/** @import { ClientSession, ConnectOptions } from "@askwire/client" */

/** More open questions than any measure has. */
const raised = { limits: { unansweredRequests: 200_000 } };

/** @type {(answerer: Answerer) => ConnectOptions} */
export function answeringOptions(answerer) {
  return {
    ...raised,
    handlers: {
      question({ questions }) {
        const [question] = questions;
        if (question === undefined) throw new Error("a request without a question");
        const reply = (/** @type {number} */ index) => {
          const label = question.options[index]?.label ?? "";
          return { answers: { [question.question]: label } };
        };
        const choice = answerer.decide(question.question);
        return typeof choice === "number" ? reply(choice) : choice.then(reply);
      },
    },
  };
}

/** @type {(session: ClientSession, answerer: Answerer) => Promise<void>} */
async function readTurn(session, answerer) {
  for await (const event of session.prompt("ask")) {
    if (event.type === "ContentPart" && event.payload.type === "text") answerer.heard(event.payload.text);
  }
}

/** @type {(session: ClientSession, answerer: Answerer) => Connection} */
export const answeringConnection = (session, answerer) => ({
  begin() {
    // The turn lasts until the agent's process is ended, and its prompt fails then.
    readTurn(session, answerer).catch(() => {});
  },
});
