/** @import { Answerer, Connection } from "../../contract.js" */
/** @import { ClientSession, ConnectOptions, QuestionReply, QuestionView } from "@askwire/client" */

/** @typedef {NonNullable<ConnectOptions["profile"]>} Profile */

/** More open questions than any measure has. */
const raised = { limits: { unansweredRequests: 200_000 } };

/** In the words of each profile. @type {Record<Profile, (question: QuestionView["questions"][0], index: number) => QuestionReply>} */
const replies = {
  base: ({ question, options }, index) => ({ answers: { [question]: options[index]?.label ?? "" } }),
  extended: ({ id, options }, index) => ({
    items: [{ question_id: id, selected: [options[index]?.id ?? ""] }],
  }),
};

/** @type {(answerer: Answerer, profile: Profile) => ConnectOptions} */
export function answeringOptions(answerer, profile) {
  return {
    ...raised,
    profile,
    handlers: {
      question({ questions }) {
        const [question] = questions;
        if (question === undefined) throw new Error("a request without a question");
        const reply = (/** @type {number} */ index) => replies[profile](question, index);
        const choice = answerer.decide(question.question);
        return typeof choice === "number" ? reply(choice) : choice.then(reply);
      },
    },
  };
}

/**
 * Options of one of several clients, which hears every text, also of another client's turn. @type {typeof
 * answeringOptions}
 */
export function sharingOptions(answerer, profile) {
  const { handlers, ...rest } = answeringOptions(answerer, profile);
  return {
    ...rest,
    handlers: {
      ...handlers,
      event({ type, payload }) {
        if (type === "ContentPart" && payload.type === "text") answerer.heard(payload.text);
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

/** @type {(session: ClientSession) => Connection} */
export const sharingConnection = (session) => ({
  begin() {
    session.prompt("ask").result.catch(() => {});
  },
});
