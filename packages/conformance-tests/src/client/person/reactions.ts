import { type ApprovalKind, ApprovalRequestPayload, QuestionRequestPayload } from "@askwire/protocol";
import { isObject } from "../../contract/expectations.js";
import type { Act, ShownTexts } from "./acts.js";

/** A request before the person: its id, and the texts that they see. */
export interface AskedRequest {
  readonly id: string;
  readonly shown: ShownTexts;
  readonly isApproval: boolean;
}

/** Reads a message of the agent. Returns the question or approval in it, if a client can show it. */
export function askedIn(text: string): AskedRequest | undefined {
  const message = parsed(text);
  const { type, payload, replayed } = isObject(message) && isObject(message.params) ? message.params : {};
  if (replayed === true) return undefined;
  if (type === "QuestionRequest") {
    const { data } = QuestionRequestPayload.safeParse(payload);
    return data && { id: data.id, shown: data.questions.map(({ question }) => question), isApproval: false };
  }
  if (type === "ApprovalRequest") {
    const { data } = ApprovalRequestPayload.safeParse(payload);
    return data && { id: data.id, shown: [data.description], isApproval: true };
  }
  return undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The answers that the client is told to give, as the JSON of `ASKWIRE_CONFORMANCE_ANSWER`. */
export interface PersonAnswer {
  /** The labels to choose, for each question of a request in turn. A question without labels stays unanswered. */
  readonly choose: readonly (readonly string[])[];
  /** The person's own words: with the first question of a request, and with an approval that is rejected. */
  readonly own_text?: string;
  /** True to close every question without an answer. */
  readonly dismiss?: boolean;
  /** The answer to every approval. */
  readonly approve?: ApprovalKind;
  /** The person's time for each request, and the tool's for each call, in milliseconds. Default: 0. */
  readonly after_ms?: number;
}

/** The person's act on a request, as the answer of a check says. */
export function reactionTo({ id, isApproval }: AskedRequest, answer: PersonAnswer): Act {
  const { choose, own_text, dismiss = false, approve = "reject" } = answer;
  const own = own_text === undefined ? {} : { own_text };
  if (!isApproval)
    return dismiss ? { do: "decline", request_id: id } : { do: "answer", request_id: id, choose, ...own };
  if (approve !== "reject") return { do: "approve", request_id: id, response: approve };
  return { do: "reject", request_id: id, ...(own_text === undefined ? {} : { feedback: own_text }) };
}
