// The texts for a model about a question or an approval that ended without an answer. Each names the event, then the
// next step.
import { type HeardOutcome, outcomeInOwnWords } from "./heard.js";
import type { Outcome, OutcomeReason } from "./outcome.js";

/** An end in words. */
export interface OutcomeWords {
  /** For the model: what happened, and what to do next. */
  readonly message: string;
  /** For the person: a word or two. */
  readonly brief: string;
}

type Reason = OutcomeReason<"declined" | "expired" | "withdrawn" | "unavailable">;
/** The reason, then the next step, and a word or two for the person. */
type Text = readonly [what: string, next: string, brief: string];

const IN_TEXT = "ask the user in plain text in your response instead.";
const GO_ON = "Go on without the answer, and do not take silence for consent.";
const taken: Text = ["The question was taken back before anybody answered.", GO_ON, "Question withdrawn"];
const ended: Text = ["The turn ended before anybody answered the question.", GO_ON, "Question withdrawn"];

const texts: { readonly [R in Reason]: Text } = {
  dismissed: [
    "The user closed the question without an answer.",
    "Do not ask it again; go on without the answer, or say in your text what you need.",
    "User dismissed",
  ],
  discuss: [
    "The user wants to talk about the question before answering it.",
    "Reply to that in your text.",
    "User wants to discuss",
  ],
  deadline: ["Nobody answered the question in time.", GO_ON, "Question expired"],
  interrupted: ended,
  session_closed: ended,
  shutdown: ended,
  agent: taken,
  superseded: [
    "Another question took the place of this one before anybody answered.",
    "Go on with the answer to that one.",
    "Question withdrawn",
  ],
  unsupported: [
    "The question was not asked: no connected client can show questions.",
    `Do not call this tool again for it; ${IN_TEXT}`,
    "Client unsupported",
  ],
  unattended: [
    "The question was not asked: no client is connected.",
    `Do not call this tool again for it; ${IN_TEXT}`,
    "Nobody present",
  ],
  client_lost: [
    "The client that showed the question is gone, and nobody answered.",
    `Do not call this tool again for it; ${IN_TEXT}`,
    "Client is gone",
  ],
  subagent: [
    "The question was not asked: a sub-agent cannot ask the user.",
    "Decide by yourself, and name the open question in your result.",
    "Not for sub-agents",
  ],
  limit: [
    "The question was not asked: too many requests are open.",
    "Wait for their results, then ask again.",
    "Too many questions",
  ],
  do_not_ask: [
    "The question was not answered: the user does not want to be asked questions in this session.",
    "Do not ask again, in your text neither; decide by yourself, and say at the end what you decided.",
    "Not to be asked",
  ],
  protocol_error: [
    "The client failed at showing the question, and nobody answered.",
    `Do not call this tool again for it; ${IN_TEXT}`,
    "Question failed",
  ],
  not_kept: [
    "The question was not asked: it could not be saved, since the disk of the session cannot be written.",
    "Tell the user that in your text, and do not ask again before they have replied.",
    "Question not saved",
  ],
};

/** The texts for the same reasons, caused by a rule of the session. */
const byPolicy: { readonly [R in Reason]?: Text } = {
  unattended: [
    "The question was not asked: nobody is present.",
    "Do not ask again; decide by yourself, and say at the end what you decided.",
    "Nobody present",
  ],
  limit: [
    "The question was not asked: another question is open.",
    "Wait for its answer, then ask again.",
    "Too many questions",
  ],
};

/**
 * Tells a model that its question has no answer, or its approval was not given, in the same words wherever it asked:
 * in a tool, behind a bridge, or in another vendor's framework (P-OUT-6, P-OUT-7).
 *
 * @param kind what was asked.
 * @param feedback the words of a person who rejected an approval. Default: none.
 */
export function outcomeWords(
  outcome: Outcome | HeardOutcome,
  kind: "question" | "approval",
  feedback = "",
): OutcomeWords {
  const known = outcomeInOwnWords(outcome);
  return kind === "question" ? questionWords(known) : approvalWords(known, feedback);
}

function questionWords({ status, reason, by, note }: Outcome): OutcomeWords {
  if (status === "answered") {
    return { message: `The user chose none of the options. ${GO_ON}`, brief: "No answer" };
  }
  const [what, next, brief] = (by === "policy" ? byPolicy[reason] : undefined) ?? texts[reason];
  const whose = status === "declined" ? "They said" : "The reason";
  const said = note === undefined || note.trim() === "" ? "" : ` ${whose}: ${note}`;
  return { message: `${what} ${next}${said}`, brief };
}

/** Ends every text about an approval: a model that is refused one way otherwise looks for another. */
const NO_DETOUR = "Do not get the same effect in another way";

function approvalWords({ status, by, reason, note }: Outcome, feedback: string): OutcomeWords {
  if (status === "answered" && by === "human") {
    const next = feedback === "" ? "stop and wait for what they say." : `do what they said: ${feedback}`;
    return {
      message: `The user rejected this call, and nothing was done. ${NO_DETOUR}; ${next}`,
      brief: feedback === "" ? "Rejected by user" : `Rejected: ${feedback}`,
    };
  }
  if (status === "answered") {
    const why = feedback === "" ? "" : ` It says: ${feedback}`;
    return {
      message: `A rule of this session rejected this call, and nothing was done. ${NO_DETOUR}; go on without it.${why}`,
      brief: "Rejected by policy",
    };
  }
  if (status === "declined") {
    const said = note === undefined ? "" : ` The client said: ${note}`;
    return {
      message: `The user closed this approval without an answer, so nothing was done. ${NO_DETOUR}; go on without it, or say in your text what you need.${said}`,
      brief: "Rejected by user",
    };
  }
  if (by === "policy") {
    return {
      message: `Nobody is present to approve this call, so it was rejected by policy and nothing was done. ${NO_DETOUR}; go on without it, and say at the end what is left to do.`,
      brief: "Nobody present",
    };
  }
  const why = [reason ?? status, ...(note === undefined ? [] : [note])].join(": ");
  return {
    message: `Nobody could answer whether this call is approved (${why}), so nothing was done. ${NO_DETOUR}; go on without it, or say in your text what you need.`,
    brief: "Not approved",
  };
}
