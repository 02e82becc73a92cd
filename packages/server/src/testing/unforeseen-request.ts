import type { PutToPerson, Script } from "./script.js";

/** The failure of a run whose agent asked something that the script has no word on. */
export class UnforeseenRequest extends Error {
  override readonly name = "UnforeseenRequest";
  /** The question or approval. */
  readonly request: PutToPerson;

  constructor(request: PutToPerson, script: Script) {
    super(`the script does not foresee ${describedRequest(request)}. ${script}`);
    this.request = request;
  }
}

/** A request as a sentence names it. */
export function describedRequest({ kind, payload }: PutToPerson): string {
  if (kind === "approval") return `the approval ${JSON.stringify(payload.description)} (${payload.action})`;
  const texts = payload.questions.map(({ question, options }) => {
    const labels = options.map(({ label }) => JSON.stringify(label)).join(", ");
    return labels === "" ? JSON.stringify(question) : `${JSON.stringify(question)} (${labels})`;
  });
  return `the question ${texts.join(", ")}`;
}
