import {
  type AnswerItem,
  type AnswerMap,
  CoreQuestion,
  describeIssues,
  itemsFromAnswers,
  type QuestionItemInput,
  withIds,
} from "@askwire/protocol";
import * as z from "zod/mini";
import { errorFor } from "./errors.js";
import { Interaction, outcomeNow, type Settlement } from "./interaction.js";

/** What a question came to: the base profile's map, verbatim, and the same by ids. */
export interface QuestionAnswer {
  readonly answers: AnswerMap;
  readonly items: readonly AnswerItem[];
}

/** A question to ask; ids are given by position where they are left out. `own_text` defaults to true. */
export type QuestionInput = Omit<QuestionItemInput, "options"> & {
  id?: string;
  own_text?: boolean;
  options: readonly { id?: string; label: string; description?: string }[];
};

/**
 * One to many questions to a person, put through `wireSend` and awaited with `wait()` (K-11).
 *
 * @throws TypeError if the questions do not fit their shape.
 */
export class QuestionRequest extends Interaction<QuestionAnswer> {
  readonly kind = "question";
  readonly toolCallId: string;
  readonly questions: readonly CoreQuestion[];
  #error: unknown;

  constructor(init: { tool_call_id: string; questions: readonly QuestionInput[] }) {
    super();
    this.toolCallId = init.tool_call_id;
    const parsed = z.array(CoreQuestion).safeParse(withIds(init.questions));
    if (!parsed.success) throw new TypeError(`questions: ${describeIssues(parsed.error.issues)}`);
    this.questions = parsed.data;
  }

  /**
   * The answers by question text; empty when the person declined.
   *
   * @throws QuestionNotSupported, QuestionUnavailable, QuestionExpired or QuestionWithdrawn (P-OUT-5).
   */
  async wait(): Promise<AnswerMap> {
    return (await this.waitForAnswer()).answers;
  }

  /** The same, with the items by id. Declined: both are empty. */
  async waitForAnswer(): Promise<QuestionAnswer> {
    const { outcome, answer } = await this.settled();
    if (answer !== undefined) return answer;
    if (outcome.status === "declined") return { answers: Object.create(null), items: [] };
    throw this.#error ?? errorFor(outcome);
  }

  /** Answers it from this process. False if it was settled before. */
  resolve(answers: Readonly<AnswerMap>): boolean {
    return this.settle(answered(this.questions, answers));
  }

  /** Gives it up from this process: `wait()` throws this error. False if it was settled before. */
  reject(error: unknown): boolean {
    if (this.resolved) return false;
    this.#error = error;
    return this.settle({
      outcome: outcomeNow("withdrawn", { reason: "agent", by: "system", note: String(error) }),
    });
  }
}

function answered(
  questions: readonly CoreQuestion[],
  answers: Readonly<AnswerMap>,
): Settlement<QuestionAnswer> {
  const map: AnswerMap = Object.assign(Object.create(null), answers);
  if (Object.keys(map).length === 0) {
    return { outcome: outcomeNow("declined", { reason: "dismissed", by: "human" }) };
  }
  return {
    outcome: outcomeNow("answered", { by: "human" }),
    answer: { answers: map, items: itemsFromAnswers(questions, map) },
  };
}
