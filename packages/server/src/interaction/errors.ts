import type { Outcome } from "@askwire/protocol";

/** Why `request.wait()` has no answer. `outcome` says all of it. */
export class QuestionUnavailable extends Error {
  override readonly name: string = "QuestionUnavailable";
  /** How the question ended. */
  readonly outcome: Outcome;

  constructor(message: string, outcome: Outcome) {
    super(message);
    this.outcome = outcome;
  }
}

/** No attached client can show the question: ask in plain text instead. */
export class QuestionNotSupported extends QuestionUnavailable {
  override readonly name = "QuestionNotSupported";
}

/** The deadline passed, and no shown default counts as the answer. */
export class QuestionExpired extends QuestionUnavailable {
  override readonly name = "QuestionExpired";
}

/** The turn, the session or the agent gave the question up. An `AbortError`: let it end the tool. */
export class QuestionWithdrawn extends QuestionUnavailable {
  override readonly name = "AbortError";
}

/** The error that a wait ends with when the outcome is neither an answer nor a decline (P-OUT-5). */
export function errorFor(outcome: Outcome): QuestionUnavailable {
  const why = `${outcome.status}${outcome.reason === undefined ? "" : `: ${outcome.reason}`}`;
  const message = outcome.note === undefined ? why : `${why} (${outcome.note})`;
  if (outcome.status === "withdrawn") return new QuestionWithdrawn(message, outcome);
  if (outcome.status === "expired") return new QuestionExpired(message, outcome);
  return outcome.reason === "unsupported"
    ? new QuestionNotSupported(message, outcome)
    : new QuestionUnavailable(message, outcome);
}
