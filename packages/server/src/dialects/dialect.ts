import type { Outcome, OutcomeReason, QuestionInput, ToolCall } from "@askwire/protocol";
import type { Tool, ToolOffer, ToolReturn, ToolRun } from "../agent/agent.js";
import type { InText } from "../agent/model.js";
import type { DeadlineInit } from "../requests/deadline.js";
import type { NativeSource, QuestionAnswer } from "../requests/question-request.js";
import type { ToolError } from "../requests/tool-error.js";

/** What a call asks. */
export interface Asked {
  readonly questions: readonly QuestionInput[];
  /** By when they are to be answered. Default: the dialect's deadline. */
  readonly deadline?: DeadlineInit;
  readonly endings: Endings;
}

/** A result in the dialect's own words. */
export interface NativeResult extends ToolReturn {
  /** The agent makes no further model call in this turn. Default: false. */
  readonly stopsTurn?: boolean;
}

/** What is given back to the model: a result, or a failure. */
export type Told = NativeResult | ToolError;

/**
 * The endings of a question that the model is told of, by the reason of its outcome. With the others the turn ends, and
 * the call has no result (P-DIA-4).
 */
export type Ending =
  | "answered"
  | OutcomeReason<"declined" | "expired" | "unavailable">
  | Extract<OutcomeReason<"withdrawn">, "superseded" | "agent">;

/** How a question ended. */
export interface Ended {
  readonly outcome: Outcome;
  /** By the ids of the questions. Empty unless it was answered. */
  readonly answer: QuestionAnswer;
}

/** What the model is told of each ending. */
export type Endings = { readonly [E in Ending]: (ended: Ended) => Told | Promise<Told> };

/** What a dialect does in one session, where it may count. */
export interface Asking {
  /**
   * Reads a call as the model wrote it, or says in the dialect's words what is wrong with it: then nobody is asked. What
   * it throws is told to the model as a failure of the tool.
   */
  read(call: ToolCall, run: ToolRun): Asked | Told | Promise<Asked | Told>;
  /** What is told of a call that was made where there is no wire, or no tool call. */
  outside(missing: "wire" | "tool call"): ToolError;
}

/**
 * A native way of asking: its tool, how calls of it are read, what the model is told of each ending, and what holds
 * unless its settings say otherwise (P-DIA-1). Every one goes through the same core as a `QuestionRequest`.
 */
export interface Dialect extends NativeSource {
  /** Whether the model is offered the tool. Default: where a question would reach somebody (P-DIA-5). */
  readonly offered?: (offer: ToolOffer) => boolean;
  /** What the instructions of a step say of it while it is offered. Default: nothing. */
  readonly prompt?: string;
  /** Calls of it run alone: they wait for the calls before them, and hold those after them. Default: false. */
  readonly exclusive?: boolean;
  /** By when its questions are to be answered. Default: there is all the time. */
  readonly deadline?: DeadlineInit;
  /** What the model reads, at the next prompt, of a call that the end of its turn overtook. Default: as of every tool. */
  readonly interrupted?: ToolReturn;
  /** How its calls are written in the text of the model, where it is no tool of the provider's. */
  readonly inText?: InText;
  /** Begins in a session. */
  begin(): Asking;
}

/** A way of calling tools, which asks nobody by itself: it brings tools of its own to each session. */
export interface ToolDialect {
  /** What it is chosen by. */
  readonly name: string;
  /** Begins in a session. */
  begin(): readonly Tool[];
}

/** Settings that every dialect of questions has. */
export interface DialectSettings {
  /** By when its questions are to be answered. Default: there is all the time. */
  readonly deadline?: DeadlineInit;
}
