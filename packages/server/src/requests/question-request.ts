import {
  type AnswerIssue,
  type AnswerItem,
  type AnswerMap,
  answerIssues,
  answersFromItems,
  type CoreQuestion,
  coreQuestion,
  itemsFromAnswers,
  type Outcome,
  type QuestionInput,
  QuestionInputs,
} from "@askwire/protocol";
import {
  canonicalItems,
  checkOptions,
  errorText,
  isTyped,
  type OptionRules,
  option,
} from "@askwire/protocol/internal";
import { validateCompiled } from "@askwire/protocol/node";
import { type Addressing, type AddressingInit, addressingOf, addressingRules } from "./addressing.js";
import type { AskingProgram } from "./asking-program.js";
import { Deadline, type DeadlineInit, deadlineRules } from "./deadline.js";
import { errorFor } from "./errors.js";
import { Interaction, outcomeNow, type Settlement } from "./interaction.js";
import { type WaitOptions, waitOrTakeBack } from "./taken-back.js";

/** The answer to a question: the base profile's map, verbatim, and the items by id. */
export interface QuestionAnswer {
  /** By question text: labels joined with `", "`, own text last. */
  readonly answers: AnswerMap;
  /** By the ids of questions and options. */
  readonly items: readonly AnswerItem[];
}

/**
 * The treatment of a question while its dialect has another open in the session (P-DIA-3). Either both are open, or the
 * newer question is refused as `unavailable`, `limit`, or the older is withdrawn as `superseded`.
 */
export const pendingPolicies = ["queue", "reject", "supersede"] as const;
/** A value of {@link pendingPolicies}. */
export type PendingPolicy = (typeof pendingPolicies)[number];

/** The native tool by which a model asks. */
export interface NativeTool {
  readonly name: string;
  readonly description: string;
  /** The JSON Schema of the arguments, an object's. */
  readonly parameters: Record<string, unknown>;
}

/** The parts of a native way of asking that its questions carry with them. */
export interface NativeSource {
  /** The name that it is chosen by. */
  readonly name: string;
  readonly pending: PendingPolicy;
  /** Text that a person says in the running turn answers its open question. Default: false. */
  readonly steersAnswer?: boolean;
}

/** The call of a tool that a question was made of. */
export interface NativeCall {
  readonly dialect: NativeSource;
  /** The arguments, exactly as the model wrote them; null without arguments (P-DIA-2). */
  readonly input: string | null;
}

/**
 * A request of one or more questions to a person, sent by `wireSend` and awaited with `wait()` (P-QST-1).
 *
 * @throws TypeError if the questions, the deadline or the addressees do not fit their shape.
 */
export class QuestionRequest extends Interaction<QuestionAnswer> {
  readonly kind = "question";
  /** The tool call that asks. */
  readonly toolCallId: string;
  /** The questions in their order, every one and every option with an id (P-QST-2). */
  readonly questions: readonly CoreQuestion[];
  /** True if a question has a field, or a fewest or a most of choices (P-XFL-1). */
  readonly typed: boolean;
  /** The deadline; undefined for a question without a time limit. */
  readonly deadline: Deadline | undefined;
  /** The model's call; undefined for a question of no dialect. */
  readonly native: NativeCall | undefined;
  /** The program that asks; undefined for a question of the agent or of this process. */
  readonly program: AskingProgram | undefined;
  /** True if the agent continues while it is open (P-XBG-1). */
  readonly background: boolean;
  /** Says for whom it is; undefined for a question that whoever may answer at all may answer at any time (P-XTO-1). */
  readonly addressing: Addressing | undefined;
  #error: unknown;
  readonly #onTouched: (() => void) | undefined;

  /**
   * @param init.key names it within its call, or its turn: a turn that runs again finds it by that (P-RES-6). Default:
   * it is found by its content.
   * @param init.onTouched called when a person has begun to answer, and the deadline stands still (P-XDL-3).
   */
  constructor(
    init: {
      /** Internal: the id of a request that an earlier process made. Default: a new one. */
      id?: string;
      tool_call_id: string;
      questions: readonly QuestionInput[];
      deadline?: DeadlineInit;
      key?: string | undefined;
      native?: NativeCall;
      program?: AskingProgram;
      background?: boolean;
      onTouched?: () => void;
    } & AddressingInit,
  ) {
    checkOptions("QuestionRequest", init, questionRules);
    super(init.id, init.key);
    if (typeof init.tool_call_id !== "string") throw new TypeError("tool_call_id: expected a string");
    this.toolCallId = init.tool_call_id;
    const parsed = validateCompiled(QuestionInputs, init.questions);
    if (!parsed.ok) throw new TypeError(`questions: ${parsed.problem}`);
    this.questions = parsed.value.map(coreQuestion);
    this.typed = this.questions.some(isTyped);
    this.deadline = init.deadline === undefined ? undefined : this.#deadlineOf(init.deadline);
    this.native = init.native;
    this.program = init.program;
    this.background = init.background ?? false;
    this.addressing = addressingOf(init);
    this.#onTouched = init.onTouched;
  }

  /** Tells whoever asks that a person has begun to answer. Internal: called by the core. */
  touched(): void {
    // The next process gives the whole time anew (P-RES-11).
    if (this.deadline !== undefined) this.keeper?.touched();
    this.#onTouched?.();
  }

  /** Changes the expiry of a question without defaults, so that no client is told of defaults. */
  #deadlineOf(init: DeadlineInit): Deadline {
    const deadline = new Deadline(init);
    if (deadline.onExpiry !== "default" || this.defaultAnswer !== undefined) return deadline;
    return new Deadline({ ...init, on_expiry: "cancel" });
  }

  /** The answer made of the questions' defaults; undefined unless each question has one (P-XDL-2). */
  get defaultAnswer(): QuestionAnswer | undefined {
    const items: AnswerItem[] = [];
    for (const { id, default: selected } of this.questions) {
      if (selected === undefined) return undefined;
      items.push({ question_id: id, selected: [...selected] });
    }
    return this.answerOf(items);
  }

  /** The answer by items that fit the questions: the values of fields in canonical form (P-XFL-3). */
  answerOf(items: readonly AnswerItem[]): QuestionAnswer {
    const canonical = this.typed ? canonicalItems(this.questions, items) : items;
    return { answers: answersFromItems(this.questions, canonical), items: canonical };
  }

  /**
   * Resolves with the answers by question text; empty when the person declined.
   *
   * @param options `signal` takes the question back when aborted.
   * @throws QuestionNotSupported, QuestionUnavailable, QuestionExpired or QuestionWithdrawn (P-OUT-5); the reason of the
   * signal.
   */
  wait(options: WaitOptions = {}): Promise<AnswerMap> {
    return waitOrTakeBack(this, options, () =>
      this.waited(({ outcome, answer }) => this.#read(outcome, answer).answers),
    );
  }

  /** Resolves with the answers by question text and the items by id, as `wait` does. Declined: both are empty. */
  waitForAnswer(options: WaitOptions = {}): Promise<QuestionAnswer> {
    return waitOrTakeBack(this, options, () =>
      this.waited(({ outcome, answer }) => this.#read(outcome, answer)),
    );
  }

  #read(outcome: Outcome, answer: QuestionAnswer | undefined): QuestionAnswer {
    if (answer !== undefined) return answer;
    if (outcome.status === "declined") return { answers: Object.create(null), items: [] };
    throw this.#error ?? errorFor(outcome, this.kind, this.questions);
  }

  /**
   * Answers it from this process. False if it was settled before.
   *
   * @throws TypeError for a value that does not fit its field, or too few or too many choices.
   */
  resolve(answers: Readonly<AnswerMap>): boolean {
    return this.settle(answered(this, answers));
  }

  /** Gives it up from this process: `wait()` throws this error. False if it was settled before. */
  reject(error: unknown): boolean {
    if (this.resolved) return false;
    this.#error = error;
    return this.settle({
      outcome: outcomeNow("withdrawn", { reason: "agent", by: "system", note: errorText(error) }),
    });
  }
}

const questionRules: OptionRules<ConstructorParameters<typeof QuestionRequest>[0]> = {
  id: option.text,
  key: option.text,
  // Read by the constructor, with words of their own.
  tool_call_id: option.any,
  questions: option.any,
  deadline: option.of(deadlineRules),
  native: option.object,
  program: option.object,
  background: option.flag,
  onTouched: option.callable,
  ...addressingRules,
};

function answered(request: QuestionRequest, answers: Readonly<AnswerMap>): Settlement<QuestionAnswer> {
  const map: AnswerMap = Object.assign(Object.create(null), answers);
  if (Object.keys(map).length === 0) {
    return { outcome: outcomeNow("declined", { reason: "dismissed", by: "human" }) };
  }
  const read = readAnswers(request, map);
  if ("issues" in read) throw new TypeError(`answers: ${read.issues[0]?.message}`);
  return { outcome: outcomeNow("answered", { by: "human" }), answer: read };
}

/** The abilities of an answer by question text: a blank value skips its question (P-ANS-1). */
const byText = { skip: true, notes: false, attachments: false };

/** The mistakes of an answer by question text, and the texts that they are about. */
export interface Misfit {
  readonly issues: readonly AnswerIssue[];
  readonly said: string;
}

/**
 * Reads an answer by question text. The map stays as it came, except for the values of fields, which become canonical
 * (P-ANS-3, P-XFL-3).
 */
export function readAnswers(request: QuestionRequest, answers: AnswerMap): QuestionAnswer | Misfit {
  const { questions, typed } = request;
  const items = itemsFromAnswers(questions, answers);
  if (!typed) return { answers, items };
  const concerned = questions.filter(isTyped);
  const ids = new Set<string | null>(concerned.map(({ id }) => id));
  const byIds = { request_id: "", answer_id: "", outcome: { status: "answered" }, items };
  const issues = answerIssues(request, byIds, byText).filter(
    ({ question_id, code }) => ids.has(question_id) && code !== "own_text",
  );
  if (issues.length > 0) {
    const wrong = new Set(issues.map(({ question_id }) => question_id));
    const said = concerned.filter(({ id }) => wrong.has(id)).map(({ question }) => answers[question] ?? "");
    return { issues, said: said.join("\n") };
  }
  const answer = request.answerOf(items);
  const canonical: AnswerMap = Object.assign(Object.create(null), answers);
  for (const { question, field } of concerned) {
    if (field !== undefined) canonical[question] = answer.answers[question] ?? "";
  }
  return { answers: canonical, items: answer.items };
}
