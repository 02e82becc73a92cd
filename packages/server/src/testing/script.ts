import {
  type CoreQuestion,
  coreQuestion,
  type ExtendedApprovalRequest,
  type ExtendedQuestionRequest,
} from "@askwire/protocol";
import {
  isRefusal,
  refusalWords,
  type ScriptedAnswer,
  type ScriptedApproval,
  type ScriptedRefusal,
  type ScriptedWords,
  scriptedItem,
  wordsOnApproval,
} from "./scripted-words.js";

/** A question or approval as it came to the person. */
export type PutToPerson =
  | { readonly kind: "question"; readonly payload: ExtendedQuestionRequest }
  | { readonly kind: "approval"; readonly payload: ExtendedApprovalRequest };

// biome-ignore lint/suspicious/noConfusingVoidType: a function that ends a request itself returns nothing.
type Nothing = undefined | void;

/** A person's word on one question. */
export type WordOnQuestion = ScriptedAnswer | ScriptedRefusal;

/**
 * Decides on one question. It returns nothing where it has no word, and where it ends the question itself, as by
 * advancing a clock over the deadline.
 */
export type AnswersQuestion = (
  question: CoreQuestion,
) => WordOnQuestion | Nothing | PromiseLike<WordOnQuestion | Nothing>;

/** Answers by the texts of the questions, or by their ids where an agent gave them. */
export type AnswersByQuestion = Readonly<Record<string, WordOnQuestion | AnswersQuestion>>;

/** Decides on an approval. It returns nothing where it has no word, and where it ends the approval itself. */
export type AnswersApproval = (
  request: ExtendedApprovalRequest,
) => ScriptedApproval | Nothing | PromiseLike<ScriptedApproval | Nothing>;

/** A part of a script, for one kind of request. */
interface Step {
  readonly kind: PutToPerson["kind"];
  /** The part as a sentence names it. */
  readonly named: string;
  readonly says: (asked: never) => unknown;
}

/** The words of a person, in the order in which they are tried. */
export class Script {
  readonly #steps: Step[] = [];
  /** False if the person's client shows neither questions nor approvals. */
  isShown = true;

  /** Adds answers to questions: by their texts, or by a function. */
  answers(given: AnswersByQuestion | AnswersQuestion): void {
    if (typeof given === "function") {
      this.#steps.push({ kind: "question", named: "answers by a function", says: given });
      return;
    }
    const answers = new Map(Object.entries(given));
    const says = (question: CoreQuestion) => {
      const said = answers.get(question.question) ?? answers.get(question.id);
      return typeof said === "function" ? said(question) : said;
    };
    this.#steps.push({ kind: "question", named: `answers to ${quoted([...answers.keys()])}`, says });
  }

  /** Adds a refusal of every question. */
  declines(refusal: ScriptedRefusal): void {
    this.#steps.push({ kind: "question", named: "a refusal of each question", says: () => refusal });
  }

  /** Adds an answer to every approval, or a function. */
  approves(given: ScriptedApproval | AnswersApproval): void {
    const isFunction = typeof given === "function";
    const named = isFunction ? "approvals by a function" : `${JSON.stringify(given)} for each approval`;
    this.#steps.push({ kind: "approval", named, says: isFunction ? given : () => given });
  }

  /**
   * The answer to a request; undefined where no part has one.
   *
   * @throws TypeError for an approval that its word does not fit, and whatever a function throws.
   */
  async wordsOn(asked: PutToPerson): Promise<ScriptedWords | undefined> {
    if (asked.kind === "approval") {
      const said = (await this.#said("approval", asked.payload)) as ScriptedApproval | undefined;
      return said && wordsOnApproval(asked.payload, said);
    }
    const items = [];
    for (const question of asked.payload.questions.map(coreQuestion)) {
      const said = (await this.#said("question", question)) as WordOnQuestion | undefined;
      if (said === undefined) return undefined;
      if (isRefusal(said)) return refusalWords(said);
      items.push(scriptedItem(question, said));
    }
    return { outcome: { status: "answered" }, items };
  }

  async #said(kind: Step["kind"], asked: CoreQuestion | ExtendedApprovalRequest): Promise<unknown> {
    for (const step of this.#steps) {
      const said = step.kind === kind ? await step.says(asked as never) : undefined;
      if (said !== undefined) return said;
    }
    return undefined;
  }

  /** The script as a sentence. */
  toString(): string {
    const named = this.#steps.map((step) => step.named);
    return named.length === 0 ? "Nothing is scripted." : `Scripted: ${named.join("; ")}.`;
  }
}

const quoted = (texts: readonly string[]) => texts.map((text) => JSON.stringify(text)).join(", ");
