import type { CoreQuestion, Outcome } from "@askwire/protocol";
import type { ToolError } from "./tool-error.js";
import { refusedApproval, unansweredQuestion } from "./unanswered.js";

/** Why `request.wait()` has no answer. `outcome` says all of it. */
export class QuestionUnavailable extends Error {
  override readonly name: string = "QuestionUnavailable";
  /** The outcome of the question. */
  readonly outcome: Outcome;
  /** The text for the model if a tool lets this error through: the event, and the next step (P-OUT-7). */
  readonly toolError: ToolError;

  /** @param toolError default: the text for a question that ended so. */
  constructor(message: string, outcome: Outcome, toolError: ToolError = unansweredQuestion(outcome)) {
    super(message);
    this.outcome = outcome;
    this.toolError = toolError;
  }
}

/**
 * No attached client can show the question: ask in plain text instead. Where an agent lets it through, its turn ends with
 * the questions said so (P-OUT-5).
 */
export class QuestionNotSupported extends QuestionUnavailable {
  override readonly name = "QuestionNotSupported";
  /** The questions that were not asked. */
  readonly questions: readonly CoreQuestion[];

  constructor(
    message: string,
    outcome: Outcome,
    toolError?: ToolError,
    questions: readonly CoreQuestion[] = [],
  ) {
    super(message, outcome, toolError);
    this.questions = questions;
  }
}

/** The deadline passed, and no shown default counts as the answer. */
export class QuestionExpired extends QuestionUnavailable {
  override readonly name = "QuestionExpired";
}

/** The turn, the session or the agent gave the question up. An `AbortError`: let it end the tool. */
export class QuestionWithdrawn extends QuestionUnavailable {
  override readonly name = "AbortError";
}

/**
 * The process ends in good order, and the next one resumes the turn (P-RES-9). No request is settled by it. An
 * `AbortError`: let it end the tool and the agent.
 */
export class SessionSuspended extends Error {
  override readonly name = "AbortError";

  constructor() {
    super("the session is suspended: the turn goes on in the next process");
  }
}

const toolErrors = { question: unansweredQuestion, approval: refusedApproval } as const;

/** The error that a wait ends with when the outcome is neither an answer nor a decline (P-OUT-5). */
export function errorFor(
  outcome: Outcome,
  kind: keyof typeof toolErrors = "question",
  questions?: readonly CoreQuestion[],
): QuestionUnavailable {
  const why = `${outcome.status}${outcome.reason === undefined ? "" : `: ${outcome.reason}`}`;
  const message = outcome.note === undefined ? why : `${why} (${outcome.note})`;
  const toolError = toolErrors[kind](outcome);
  if (outcome.status === "withdrawn") return new QuestionWithdrawn(message, outcome, toolError);
  if (outcome.status === "expired") return new QuestionExpired(message, outcome, toolError);
  return outcome.reason === "unsupported"
    ? new QuestionNotSupported(message, outcome, toolError, questions)
    : new QuestionUnavailable(message, outcome, toolError);
}
