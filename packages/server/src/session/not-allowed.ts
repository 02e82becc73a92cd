import { WireError } from "@askwire/protocol";

/** The reason of every refusal by a role. */
export const FOR_ANSWERING = "this connection is for answering only";

/** The refusal of what the role of a connection does not allow (P-XRL-2). */
export const notAllowed = (why: string): WireError => new WireError("NotAllowed", saidOf(why));

/** The refusal of an answer that the role does not allow: another one still counts (P-XRL-6). */
export function answerNotAllowed(why: string): WireError {
  const issues = [{ question_id: null, code: "not_allowed", message: saidOf(why) }];
  return new WireError("NotAllowed", saidOf(why), { data: { issues } });
}

/** The refusal of an answer while somebody else has taken the request: a later one may count (P-XTO-5). */
export function answerTaken(why: string): WireError {
  const issues = [{ question_id: null, code: "taken", message: why }];
  return new WireError("NotAllowed", why, { data: { issues } });
}

const saidOf = (why: string) => `${FOR_ANSWERING}: ${why}`;
