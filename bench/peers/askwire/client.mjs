/** @import { Answerer, Connection } from "../../contract.js" */
/** @import { ClientSession, ConnectOptions } from "@askwire/client" */
/** @import { ContentPart } from "@askwire/protocol" */
/** @import { Readable, Writable } from "node:stream" */
import { connectStreams } from "@askwire/client/stdio";

/** @type {(answerer: Answerer) => ConnectOptions} */
function options(answerer) {
  return {
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
  for await (const { type, payload } of session.prompt("ask")) {
    if (type !== "ContentPart") continue;
    const part = /** @type {ContentPart} */ (payload);
    if (part.type === "text") answerer.heard(part.text);
  }
}

/** @type {(input: Readable, output: Writable, answerer: Answerer) => Promise<Connection>} */
export async function overStdio(input, output, answerer) {
  const session = await connectStreams(input, output, options(answerer));
  return {
    begin() {
      // The turn lasts until the agent's process is ended, and its prompt fails then.
      readTurn(session, answerer).catch(() => {});
    },
  };
}
