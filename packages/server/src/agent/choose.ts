import type { Outcome, QuestionInput } from "@askwire/protocol";
import type { DeadlineInit } from "../requests/deadline.js";
import { QuestionUnavailable, QuestionWithdrawn } from "../requests/errors.js";
import { QuestionRequest } from "../requests/question-request.js";
import type { ToolError } from "../requests/tool-error.js";
import { unansweredQuestion } from "../requests/unanswered.js";
import { getToolCall, wireSend } from "./context.js";

/** A closed question for one of its options. */
export interface Choice<Id extends string> {
  /** The text of the question. */
  readonly question: string;
  /** The options, at least one. Ids and labels differ, since clients of the base profile answer by label. */
  readonly options: readonly (Omit<NonNullable<QuestionInput["options"]>[number], "id"> & {
    readonly id: Id;
  })[];
  /** A short tag. Default: none. */
  readonly header?: string;
  /** Markdown to show above the options. Default: none. */
  readonly body?: string;
  /** By when it is to be answered. Default: there is all the time. */
  readonly deadline?: DeadlineInit;
  /** Aborted when the answer is no longer of use: the question is then taken back. */
  readonly signal?: AbortSignal;
}

/** The result of a {@link Choice}. */
export interface Chosen<Id extends string> {
  /** The id of the chosen option; undefined without a choice, which the outcome explains. */
  readonly chosen: Id | undefined;
  /** The outcome: its cause and its time. */
  readonly outcome: Outcome;
  /** The error for the model if nothing was chosen, to be returned by the tool. Undefined after a choice (P-OUT-7). */
  readonly toolError: ToolError | undefined;
}

/**
 * Asks the person to choose an option, for an agent or a tool of any dialect. Only the id of an option counts: own
 * words end the question as `declined`, `discuss` (P-QST-4).
 *
 * @throws QuestionWithdrawn when the turn or session ended meanwhile; let it through.
 * @throws the reason of the signal.
 * @throws TypeError for options that do not fit, LocalError INVALID_STATE outside a turn.
 */
export async function choose<const Id extends string>(choice: Choice<Id>): Promise<Chosen<Id>> {
  const { options, deadline, signal, ...question } = choice;
  const labels = new Set(options.map(({ label }) => label));
  if (options.length === 0 || labels.size < options.length) {
    throw new TypeError("options: expected one at least, with labels that differ");
  }
  signal?.throwIfAborted();
  const request = new QuestionRequest({
    tool_call_id: getToolCall()?.id ?? "",
    questions: [{ ...question, options: [...options], own_text: false }],
    ...(deadline !== undefined && { deadline }),
  });
  const takeBack = () => void request.reject(signal?.reason);
  signal?.addEventListener("abort", takeBack, { once: true });
  try {
    wireSend(request);
    const [item] = (await request.waitForAnswer()).items;
    const chosen = item?.selected[0] as Id | undefined;
    const outcome = request.outcome as Outcome;
    return { chosen, outcome, toolError: chosen === undefined ? unansweredQuestion(outcome) : undefined };
  } catch (error) {
    if (error instanceof QuestionWithdrawn || !(error instanceof QuestionUnavailable)) throw error;
    return { chosen: undefined, outcome: error.outcome, toolError: error.toolError };
  } finally {
    signal?.removeEventListener("abort", takeBack);
  }
}
