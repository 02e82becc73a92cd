import type { Outcome, QuestionInput } from "@askwire/protocol";
import type { DeadlineInit } from "../requests/deadline.js";
import { QuestionUnavailable, QuestionWithdrawn } from "../requests/errors.js";
import { QuestionRequest } from "../requests/question-request.js";
import type { ToolError } from "../requests/tool-error.js";
import { unansweredQuestion } from "../requests/unanswered.js";
import { getToolCall, wireSend } from "./context.js";

/** A closed question, of whose options one is to be chosen. */
export interface Choice<Id extends string> {
  /** What the person is asked. */
  readonly question: string;
  /** One at least. Ids and labels differ: clients of the base profile answer by label. */
  readonly options: readonly (Omit<QuestionInput["options"][number], "id"> & { readonly id: Id })[];
  /** A short tag. Default: none. */
  readonly header?: string;
  /** Markdown to show above the options. Default: none. */
  readonly body?: string;
  /** By when it is to be answered. Default: there is all the time. */
  readonly deadline?: DeadlineInit;
  /** Aborted when the answer is of no use any more: the question is then taken back. */
  readonly signal?: AbortSignal;
}

/** What came of a {@link Choice}. */
export interface Chosen<Id extends string> {
  /** The id of the chosen option; undefined where none was, which the outcome explains. */
  readonly chosen: Id | undefined;
  /** Who ended it, how and when. */
  readonly outcome: Outcome;
  /** What to tell the model where none was chosen: return it from the tool. Undefined where one was (P-OUT-7). */
  readonly toolError: ToolError | undefined;
}

/**
 * Asks the person to choose one of several options, as an agent or a tool does by itself, whatever its dialects. Nothing
 * but the id of an option counts: own words end it as `declined`, `discuss` (P-QST-4).
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
