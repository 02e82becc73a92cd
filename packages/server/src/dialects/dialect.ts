import type { Outcome, OutcomeReason, QuestionInput, ToolCall } from "@askwire/protocol";
import type { Tool, ToolOffer, ToolReturn, ToolRun } from "../agent/agent.js";
import type { InText } from "../agent/model.js";
import type { DeadlineInit } from "../requests/deadline.js";
import type { NativeSource, NativeTool, QuestionAnswer } from "../requests/question-request.js";
import type { ToolError } from "../requests/tool-error.js";

/** The questions of a call. */
export interface QuestionsOfCall {
  readonly questions: readonly QuestionInput[];
  /** By when they are to be answered. Default: the dialect's deadline. */
  readonly deadline?: DeadlineInit;
  readonly endings: Endings;
  /** The agent continues while the questions are open, if it can be told of the answer later. Default: false. */
  readonly background?: boolean;
}

/** A result in the dialect's own words. */
export interface NativeResult extends ToolReturn {
  /** The agent makes no further model call in this turn. Default: false. */
  readonly stopsTurn?: boolean;
}

/** The return to the model: a result, or a failure. */
export type Told = NativeResult | ToolError;

/**
 * The endings of a question that the model is told of, by the reason of its outcome. With the others the turn ends, and
 * the call has no result (P-DIA-4).
 */
export type DialectEnding =
  | "answered"
  | OutcomeReason<"declined" | "expired" | "unavailable">
  | Exclude<OutcomeReason<"withdrawn">, "interrupted" | "session_closed" | "shutdown">;

/** The ending of a question. */
export interface Ended {
  readonly outcome: Outcome;
  /** By the ids of the questions. Empty unless it was answered. */
  readonly answer: QuestionAnswer;
}

/** The text for the model, for each ending. */
export type Endings = { readonly [E in DialectEnding]: (ended: Ended) => Told | Promise<Told> };

/** The work of a dialect in one session, where it may count. */
export interface Asking {
  /**
   * Reads a call as the model wrote it, or describes its mistake in the dialect's words. After a mistake nobody is
   * asked. An exception is told to the model as a failure of the tool.
   */
  read(call: ToolCall, run: ToolRun): QuestionsOfCall | Told | Promise<QuestionsOfCall | Told>;
  /** Makes the error for a call without a wire, or without a tool call. */
  outside(missing: "wire" | "tool call"): ToolError;
}

/**
 * A native way of asking: its tool, the reading of its calls, and the texts for the model (P-DIA-1). Its defaults hold
 * unless its settings say otherwise. All questions go through the same core as a `QuestionRequest`.
 */
export interface Dialect extends NativeSource {
  readonly tool: NativeTool;
  /** Decides if the model is offered the tool. Default: if a question would reach somebody (P-DIA-5). */
  readonly offered?: (offer: ToolOffer) => boolean;
  /** The tool's part of a step's instructions while it is offered. Default: nothing. */
  readonly prompt?: string;
  /** Calls of it run alone: they wait for the calls before them, and hold those after them. Default: false. */
  readonly exclusive?: boolean;
  /** By when its questions are to be answered. Default: there is all the time. */
  readonly deadline?: DeadlineInit;
  /**
   * The result, at the next prompt, of a call that outlived its turn or its process (P-DIA-4). Default: the text for
   * every tool.
   */
  readonly interrupted?: ToolReturn;
  /** The form of calls in the model's text, for a tool that is not the provider's. */
  readonly inText?: InText;
  /** Begins in a session. */
  begin(): Asking;
}

/** A way of calling tools, which brings its own tools to each session. The way itself asks nobody. */
export interface ToolDialect {
  /** The name by which it is chosen. */
  readonly name: string;
  /** Begins in a session. */
  begin(): readonly Tool[];
}

/** Settings that every dialect of questions has. */
export interface DialectSettings {
  /** By when its questions are to be answered. Default: there is all the time. */
  readonly deadline?: DeadlineInit;
}
