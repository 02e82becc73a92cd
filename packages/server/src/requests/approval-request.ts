import {
  type AnswerItem,
  type ApprovalEdit,
  type ApprovalKind,
  type ApprovalOption,
  answerLimits,
  type CoreQuestion,
  type DisplayBlockInput,
  rejectionOf,
  wordOf,
} from "@askwire/protocol";
import { checkOptions, errorText, type OptionRules, option, withEditShown } from "@askwire/protocol/internal";
import { type Addressing, type AddressingInit, addressingOf, addressingRules } from "./addressing.js";
import type { ApprovalAnswer } from "./approval-answer.js";
import {
  type ApprovalOptionInit,
  approvalOptions,
  approvalQuestion,
  type OptionsOfWords,
  optionsOfWords,
} from "./approval-options.js";
import type { AskingProgram } from "./asking-program.js";
import { displayMarkdown } from "./display-markdown.js";
import { errorFor } from "./errors.js";
import { Interaction, outcomeNow, type Settlement } from "./interaction.js";
import { QUORUM, Quorum, withAllWords } from "./quorum.js";
import { type WaitOptions, waitOrTakeBack } from "./taken-back.js";
import { refusedApproval } from "./unanswered.js";

/** A text that the person may change before approving. */
export interface ApprovalEditInit {
  readonly content: string;
  /** The file that the text is of. Default: none. */
  readonly path?: string | undefined;
  /** The language of the text, such as `bash`. Default: none. */
  readonly language?: string | undefined;
  /** UTF-16 units of the changed text, at most. Default: 1,048,576. */
  readonly max_length?: number;
  /** Says what is wrong with a changed text, which then has to be corrected. Default: every text will do. */
  readonly check?: (text: string) => string | undefined;
}

/** Asks a person to allow one action of a tool (P-APR-1). Put through `wireSend` and awaited with `wait()`. */
export class ApprovalRequest extends Interaction<ApprovalAnswer> {
  readonly kind = "approval";
  /** The tool call that asks. */
  readonly toolCallId: string;
  /** The tool that asks. */
  readonly sender: string;
  /** The action covered by `approve_for_session`: equal actions are not asked again. */
  readonly action: string;
  /** The action in a sentence. */
  readonly description: string;
  /** The blocks to show with the description, the text to change among them. Default: nothing. */
  readonly display: readonly DisplayBlockInput[];
  /** The ways to answer it; undefined for the three of the base profile (P-XAO-1). */
  readonly options: readonly ApprovalOption[] | undefined;
  /** The text that the person may change (P-XAO-3). */
  edit: (ApprovalEdit & Pick<ApprovalEditInit, "check">) | undefined;
  /** True if a decision beyond this call is for the agent alone to remember: the session keeps none (P-XAO-8). */
  readonly relayed: boolean;
  /** True if no policy may answer it: neither `--yolo` nor an earlier decision (P-XAO-10, P-XTO-3). */
  readonly personOnly: boolean;
  /** The approvals of several people, where one person is not enough (P-XQU-1). */
  readonly quorum: Quorum | undefined;
  /** Says for whom it is; undefined for an approval that whoever may answer at all may answer at any time (P-XTO-1). */
  readonly addressing: Addressing | undefined;
  /** The connected program that asks; undefined for an approval of the agent or of this process (P-XAK-11). */
  readonly program: AskingProgram | undefined;
  readonly #onTouched: (() => void) | undefined;
  /** The options that the base profile's words stand for; undefined where the words do not suffice (P-XAO-5). */
  readonly words: OptionsOfWords | undefined;
  /** The mark shared by approvals of a turn, or of a sub-agent. Set when the request is opened. */
  source: string | undefined;
  #asQuestion: CoreQuestion | undefined;

  /**
   * @param init.key names it within its call, or its turn: a turn that runs again finds it by that (P-RES-6). Default:
   * it is found by its content.
   * @param init.for_session the id of the option that `approve_for_session` of a base client stands for, where several
   * have a scope. Default: the only one; with several, such clients are asked by a question.
   * @param init.relayed true if the agent itself remembers a decision beyond this call. Default: false.
   * @param init.person_only true if no policy may answer it, such as for a plan. Default: false.
   * @param init.quorum the number of people who must approve it, from 2 to 10; no policy then may (P-XQU-1). Default: one
   * is enough.
   * @param init.onTouched called when a person has begun to answer (P-XST-5).
   * @throws TypeError for options, a text to change or addressees that do not fit.
   */
  constructor(
    init: {
      /** Internal: the id of a request that an earlier process made. Default: a new one. */
      id?: string;
      tool_call_id: string;
      sender: string;
      action: string;
      description: string;
      key?: string | undefined;
      display?: readonly DisplayBlockInput[];
      options?: readonly ApprovalOptionInit[] | undefined;
      for_session?: string | undefined;
      edit?: ApprovalEditInit | undefined;
      relayed?: boolean;
      person_only?: boolean;
      quorum?: number | undefined;
      program?: AskingProgram | undefined;
      onTouched?: () => void;
    } & AddressingInit,
  ) {
    checkOptions("ApprovalRequest", init, approvalRules);
    super(init.id, init.key);
    this.toolCallId = init.tool_call_id;
    this.sender = init.sender;
    this.action = init.action;
    this.description = init.description;
    const { for_session } = init;
    const options = init.options && approvalOptions(init.options, init.action);
    this.options = options?.map((option) =>
      option.id === for_session ? { ...option, for_session: true } : option,
    );
    this.words = options && optionsOfWords(options, for_session);
    this.edit = init.edit && editOf(init.edit);
    this.display = withEditShown({ ...this, display: init.display ?? [] });
    this.relayed = init.relayed ?? false;
    this.quorum = init.quorum === undefined ? undefined : new Quorum(init.quorum);
    this.addressing = addressingOf(init);
    this.personOnly =
      init.person_only === true || this.quorum !== undefined || this.addressing?.to !== undefined;
    this.program = init.program;
    this.#onTouched = init.onTouched;
  }

  /** Tells whoever asks that a person has begun to answer. Internal: called by the core. */
  touched(): void {
    this.#onTouched?.();
  }

  /**
   * Settles it as {@link Interaction.settle} does. Where several people must approve, an approval of one of them is kept
   * until the last one has come: this then returns true, and the request stays open (P-XQU-3).
   */
  override settle(settlement: Settlement<ApprovalAnswer>): boolean {
    const { quorum } = this;
    const { outcome, answer } = settlement;
    // One with everybody's name is the end, as an earlier process has recorded it.
    if (quorum === undefined || outcome.by !== "human" || outcome.approved_by !== undefined)
      return super.settle(settlement);
    if (answer === undefined || answer.response === "reject")
      return quorum.endedBy(settlement, (whole) => super.settle(whole));
    if (this.resolved) return false;
    const vote = quorum.voteOf(settlement);
    if (vote === undefined || quorum.differs(settlement)) return false;
    if (quorum.isReachedBy(vote))
      return quorum.settledBy(vote, () => super.settle(quorum.settlement(settlement)));
    if (this.keeper?.voted(vote) === false) return false;
    quorum.take(vote);
    return true;
  }

  /** The check of a changed text, which no journal keeps, is from now on that of this request. */
  override standFor(restored: ApprovalRequest): void {
    restored.edit = this.edit;
    super.standFor(restored);
  }

  /** The question that it is put as where three words do not suffice; undefined where they do (P-XAO-5). */
  get asQuestion(): CoreQuestion | undefined {
    if (this.options === undefined || this.words !== undefined) return undefined;
    this.#asQuestion ??= approvalQuestion(this, this.options, displayMarkdown(this.display));
    return this.#asQuestion;
  }

  /**
   * The answer by one of its own options.
   *
   * @param feedback the person's words. Where there are several ways to reject, the label of the chosen one counts.
   */
  answerBy(option: ApprovalOption, feedback = "", edited?: string): ApprovalAnswer {
    const ways = this.options?.filter(({ kind }) => kind === "reject").length ?? 0;
    const said = option.kind === "reject" && feedback.trim() === "" && ways > 1 ? option.label : feedback;
    return {
      response: wordOf(option),
      feedback: said,
      option: option.id,
      ...(edited !== undefined && edited !== this.edit?.content && { edited }),
    };
  }

  /**
   * The answer by a word of the base profile.
   *
   * @throws TypeError where words do not suffice.
   */
  answerInWords(response: ApprovalKind, feedback = "", edited?: string): ApprovalAnswer {
    if (this.words !== undefined) return this.answerBy(this.words[response], feedback, edited);
    if (this.options !== undefined) {
      throw new TypeError("response: expected {option}, as three words do not suffice for the options");
    }
    if (edited === undefined || edited === this.edit?.content) return { response, feedback };
    return { response, feedback, edited };
  }

  /** The answer by an item of the question that it was put as; undefined for an item without words (P-XAO-5). */
  answerByItem({ selected: [id], own_text = "" }: AnswerItem): ApprovalAnswer | undefined {
    if (id !== undefined) return this.answerBy(this.option(id));
    const reject = this.options && rejectionOf(this.options);
    return reject === undefined || own_text.trim() === "" ? undefined : this.answerBy(reject, own_text);
  }

  /**
   * Resolves with the decision. Every outcome but an answer is a rejection whose feedback tells the model why
   * (P-OUT-6).
   *
   * @param options `signal` takes the approval back when aborted.
   * @throws QuestionWithdrawn when the scope that asked has ended; the reason of the signal.
   */
  wait(options: WaitOptions = {}): Promise<ApprovalAnswer> {
    return waitOrTakeBack(this, options, () =>
      this.waited(({ outcome, answer }) => {
        if (answer !== undefined) return withAllWords(answer, outcome);
        if (outcome.status === "withdrawn") throw errorFor(outcome, "approval");
        return { response: "reject", feedback: refusedApproval(outcome).message };
      }),
    );
  }

  /**
   * Answers it from this process. False if it was settled before.
   *
   * @param response a word of the base profile, or the id of an option.
   * @throws TypeError for a word where words do not suffice, and for an unknown option.
   */
  resolve(
    response: ApprovalKind | { readonly option: string; readonly edited?: string },
    feedback = "",
  ): boolean {
    const answer =
      typeof response === "string"
        ? this.answerInWords(response, feedback)
        : this.answerBy(this.option(response.option), feedback, response.edited);
    return this.settle({ outcome: outcomeNow("answered", { by: "human" }), answer });
  }

  /**
   * The option of an id.
   *
   * @throws TypeError if there is none.
   */
  option(id: string): ApprovalOption {
    const option = this.options?.find((option) => option.id === id);
    if (option === undefined) throw new TypeError(`option: there is no option ${JSON.stringify(id)}`);
    return option;
  }

  /** Gives it up from this process. False if it was settled before. */
  reject(error: unknown): boolean {
    return this.settle({
      outcome: outcomeNow("withdrawn", { reason: "agent", by: "system", note: errorText(error) }),
    });
  }
}

function editOf({ content, path, language, max_length = answerLimits.edited, check }: ApprovalEditInit) {
  if (!Number.isInteger(max_length) || max_length < 1) {
    throw new TypeError("edit.max_length: expected a whole number from 1 on");
  }
  if (content.length > max_length) {
    throw new TypeError(`edit.content: expected at most ${max_length} characters, found ${content.length}`);
  }
  return {
    content,
    ...(path !== undefined && { path }),
    ...(language !== undefined && { language }),
    max_length,
    ...(check !== undefined && { check }),
  };
}

/** The text to change as a message or a record has it, without what a later version says of it. */
export const editOfMessage = ({ content, path, language, max_length }: ApprovalEdit): ApprovalEditInit => ({
  content,
  path,
  language,
  max_length,
});

const editRules: OptionRules<ApprovalEditInit> = {
  content: option.required(option.text),
  path: option.text,
  language: option.text,
  // Read by editOf.
  max_length: option.any,
  check: option.callable,
};

const approvalRules: OptionRules<ConstructorParameters<typeof ApprovalRequest>[0]> = {
  id: option.text,
  key: option.text,
  tool_call_id: option.required(option.text),
  sender: option.required(option.text),
  action: option.required(option.text),
  description: option.required(option.text),
  display: option.list,
  options: option.list,
  for_session: option.text,
  edit: option.of(editRules),
  relayed: option.flag,
  person_only: option.flag,
  quorum: option.whole(QUORUM.least, QUORUM.most),
  program: option.object,
  onTouched: option.callable,
  ...addressingRules,
};
