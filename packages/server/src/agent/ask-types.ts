import type { AnswerItem, Outcome, QuestionInput } from "@askwire/protocol";
import type { AddressingInit } from "../requests/addressing.js";
import type { DeadlineInit } from "../requests/deadline.js";
import type { ToolError } from "../requests/tool-error.js";

/** The settings that every way of asking shares. */
export interface AskSettings extends AddressingInit {
  /**
   * Names the request within its call, or within its turn outside of calls: a turn that runs again finds it by that
   * (P-RES-6). Needed only where requests of equal content are made in another order. Default: none.
   */
  readonly key?: string;
  /** Aborted when the answer is no longer of use: the request is then taken back. */
  readonly signal?: AbortSignal;
}

/** An option as a label, or with all that it has. The answer names it by its `id`, and without one by its label. */
export type AskOption = string | Readonly<NonNullable<QuestionInput["options"]>[number]>;

/**
 * A question: closed with `options` and `own_text: false`, open without options, or of a type with a `field`. With
 * options it may be answered in other words too, unless `own_text` is false.
 */
export interface AskQuestion extends Readonly<Omit<QuestionInput, "id" | "options" | "default">> {
  readonly options?: readonly AskOption[];
  /** The ids of the options that count when a deadline passes, with `on_expiry: "default"`. Default: none. */
  readonly default?: readonly string[];
}

/** The ways of asking. */
export interface AskHow extends AskSettings {
  /** By when it is to be answered. Default: there is all the time. */
  readonly deadline?: DeadlineInit;
  /** True if the agent goes on with other work meanwhile, which clients show (P-XBG-1). Default: false. */
  readonly background?: boolean;
}

type OptionValue<O> = O extends string
  ? O
  : O extends { readonly id: infer Id extends string }
    ? Id
    : O extends { readonly label: infer Label extends string }
      ? Label
      : never;

type FieldValue<Type> = Type extends "number" | "integer"
  ? number
  : Type extends "boolean"
    ? boolean
    : string;

/** Words of the person's own, where the question takes them. `{}` keeps the names of the options in sight. */
type OwnWords<Q> = Q extends { readonly own_text: false } ? never : string & {};

/** The answer to a question: what was chosen or typed, as a number or a boolean where its field is one. */
export type AnswerTo<Q> = Q extends { readonly field: { readonly type: infer Type } }
  ? FieldValue<Type>
  : Q extends { readonly options: readonly (infer Option)[] }
    ? Q extends { readonly multi_select: true }
      ? (OptionValue<Option> | OwnWords<Q>)[]
      : OptionValue<Option> | OwnWords<Q>
    : string;

/** Takes no members but those of a question, so that a misspelt one is seen where it is written. */
type Known<Q> = Q & NoOther<Q, keyof AskQuestion> & KnownField<Q>;
type KnownField<Q> = Q extends { readonly field: infer F }
  ? { readonly field: NoOther<F, "type" | "bounds" | "pattern" | "required" | "prefill"> & KnownBounds<F> }
  : unknown;
type KnownBounds<F> = F extends { readonly bounds: infer B }
  ? { readonly bounds: NoOther<B, "min" | "max"> }
  : unknown;
/** Other names than these have no value; all of them do in an object that was not written as a literal. */
type NoOther<T, Names> = string extends keyof T
  ? unknown
  : { readonly [Name in Exclude<keyof T, Names>]: never };

/** Several questions, each with no members but those of one. A text under `question` makes it a single one. */
type KnownIn<Qs> = {
  readonly [K in keyof Qs]: Qs[K] extends string ? (K extends "question" ? never : Qs[K]) : Known<Qs[K]>;
};

/** The answers to several questions by their keys; undefined for one that the person skipped. */
export type AnswersTo<Qs> = { readonly [K in keyof Qs]: AnswerTo<Qs[K]> | undefined };

/** An answer, with how it came. */
export interface AnsweredQuestion<Answer> {
  readonly answer: Answer;
  /** The answer by ids, with the notes and the pictures that came with it, in the order of the questions. */
  readonly items: readonly AnswerItem[];
  readonly outcome: Outcome;
  readonly toolError: undefined;
}

/** The end of a question without an answer, which `outcome` explains. */
export interface UnansweredQuestion {
  readonly answer: undefined;
  readonly items: readonly [];
  readonly outcome: Outcome;
  /** The text for the model: return it from the tool (P-OUT-7). */
  readonly toolError: ToolError;
}

/** The end of a question, with an answer or without: compare `answer` with undefined. */
export type QuestionResult<Answer> = AnsweredQuestion<Answer> | UnansweredQuestion;

/**
 * Asks the person, and resolves with what became of it: a question with its options, a whole question, or several by
 * keys of your choice.
 *
 * ```ts
 * const asked = await turn.ask("Which database?", ["SQLite", "PostgreSQL"]);
 * if (asked.answer === undefined) return asked.toolError;
 * ```
 *
 * @throws QuestionWithdrawn when the turn or session ended meanwhile; let it through.
 * @throws the reason of the signal.
 * @throws TypeError for a question that does not fit, LocalError INVALID_STATE outside a turn and for a key that the
 * turn has used.
 */
export interface TurnAsk {
  (question: string, how?: AskHow): Promise<QuestionResult<string>>;
  <const Option extends AskOption>(
    question: string,
    options: readonly Option[],
    how?: AskHow,
  ): Promise<QuestionResult<AnswerTo<{ readonly options: readonly Option[] }>>>;
  <const Question extends AskQuestion>(
    question: Known<Question>,
    how?: AskHow,
  ): Promise<QuestionResult<AnswerTo<Question>>>;
  <const Questions extends Readonly<Record<string, string | AskQuestion>>>(
    questions: KnownIn<Questions>,
    how?: AskHow,
  ): Promise<QuestionResult<AnswersTo<Questions>>>;
}
