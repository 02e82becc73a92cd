import type {
  ApprovalReply,
  ApprovalView,
  QuestionReply,
  QuestionView,
  RequestContext,
} from "@askwire/client";
import { questionForm } from "@askwire/client/form";
import { visibleLine } from "@askwire/client/text";
import type { TerminalWords } from "@askwire/client/words";
import type { AnswerIssue, AnswerItem, CoreQuestion } from "@askwire/protocol";
import type { Paint } from "../device/paint.js";
import type { LineFeed } from "../lines/line-readers.js";
import type { ShownTranscript } from "./agent-transcript.js";
import { DECLINE, isNo, isYes, readAnswerLine } from "./answer-line.js";
import { approvalChoices, readApprovalLine, takesLine, withEdited } from "./approval-answer.js";
import { approvalLines } from "./approval-lines.js";
import { AskedInTurn, INTERRUPTED } from "./asked-in-turn.js";
import { askedTitle, originLines, senderOf } from "./asked-title.js";
import { choicesIn } from "./choices-in.js";
import { tellDelivery } from "./delivery-lines.js";
import { confirmedIn, type KeptWork, noWork, withConfirmed } from "./kept-work.js";
import { answerHint, questionCard } from "./question-card.js";

/** The person at the terminal: one request at a time, in order of arrival. */
export interface AskedInLines {
  question(view: QuestionView, context: RequestContext): QuestionReply | PromiseLike<QuestionReply>;
  approval(view: ApprovalView, context: RequestContext): ApprovalReply | PromiseLike<ApprovalReply>;
  /** Declines the current request. False if there is none. */
  interrupt(): boolean;
}

interface Terminal {
  readonly lines: LineFeed;
  readonly transcript: ShownTranscript;
  readonly paint: Paint;
  readonly words: TerminalWords;
  /** Gives what says for the session that nobody is to be asked. Default: such words are an answer. */
  stopAsking?(): (() => void) | undefined;
  /** Called when the person sees a request and no line can come: the pipe has ended, or the terminal is gone. */
  nobody?(): void;
  /** Reports if questions can be left out, as the server may take them. Default: they cannot. */
  leavesOut?(): boolean;
  /** Keeps the answers of a request before it is sent. Default: they live as long as the process. */
  readonly work?: KeptWork;
}

/** The person at the terminal, who answers line by line. */
export class PersonByLines implements AskedInLines {
  readonly #terminal: Terminal;
  readonly #requests: AskedInTurn;
  /** The answers that were given, by the shown view, since the server may refuse some of them. */
  readonly #given = new WeakMap<QuestionView, readonly AnswerItem[]>();

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    this.#requests = new AskedInTurn(terminal, terminal.words.asked);
  }

  question(view: QuestionView, context: RequestContext): Promise<QuestionReply> {
    this.#tellDelivery(context);
    return this.#requests.ask<QuestionReply>({
      title: askedTitle(view, this.#terminal.words.asked),
      signal: context.signal,
      ask: (until) => this.#ask(view, context.issues, until),
      interrupted: "declined",
    });
  }

  approval(view: ApprovalView, context: RequestContext): Promise<ApprovalReply> {
    this.#tellDelivery(context);
    const { action, subagent_type } = view;
    return this.#requests.ask<ApprovalReply>({
      title: this.#terminal.words.asked.wantsApproval(
        senderOf(view),
        visibleLine(action),
        visibleLine(subagent_type ?? ""),
      ),
      signal: context.signal,
      ask: (until) => askApproval(this.#terminal, view, context.issues, until()),
      interrupted: "reject",
    });
  }

  interrupt(): boolean {
    return this.#requests.interrupt();
  }

  async #ask(
    view: QuestionView,
    issues: readonly AnswerIssue[],
    until: () => AbortSignal,
  ): Promise<QuestionReply> {
    const { transcript, words, paint } = this.#terminal;
    if (view.program !== undefined) transcript.line(askedTitle(view, words.asked));
    for (const line of originLines(view, paint, words.asked)) transcript.line(`  ${line}`);
    const kept = issues.length === 0 ? keptAnswers(this.#terminal, view) : [];
    const before = [...kept, ...takenOf(this.#given.get(view) ?? [], issues)];
    const reply = await askQuestions(this.#terminal, view, issues, before, until);
    if (reply !== "declined") this.#given.set(view, reply.items);
    return reply;
  }

  #tellDelivery(context: Pick<RequestContext, "onDelivery">): void {
    const { lines, transcript, paint, words } = this.#terminal;
    if (!lines.draws) tellDelivery(context, (line) => transcript.line(paint("dim", line)), words.asked);
  }
}

/** The answers that the server had nothing against; none where an issue is about no question in particular. */
const takenOf = (items: readonly AnswerItem[], issues: readonly AnswerIssue[]) =>
  issues.some(({ question_id }) => question_id === null)
    ? []
    : items.filter(({ question_id: id }) => issues.every(({ question_id }) => question_id !== id));

/** The answers that were given before an earlier process ended, each told in a line. */
function keptAnswers(
  { work = noWork, transcript, paint, words, lines }: Terminal,
  { id, questions }: QuestionView,
): readonly AnswerItem[] {
  // A pipe gives all its answers anew.
  const items = lines.interactive && questions.length > 1 ? confirmedIn(work.find(id, questions)) : [];
  // Answers to all questions were not sent, and are looked at again.
  if (items.length === questions.length) return [];
  for (const item of items) {
    const question = questions.find((one) => one.id === item.question_id);
    if (question === undefined) continue;
    transcript.line(paint("dim", visibleLine(words.asked.answeredBefore(question.question))));
    for (const choice of choicesIn(question, item, words.panel))
      transcript.line(paint("dim", `  → ${visibleLine(choice)}`));
  }
  return items;
}

/** @param before answers that stand, whose questions are not asked. */
async function askQuestions(
  terminal: Terminal,
  view: QuestionView,
  issues: readonly AnswerIssue[],
  before: readonly AnswerItem[],
  until: () => AbortSignal,
) {
  const { transcript, paint, words } = terminal;
  for (const { message } of issues) transcript.line(paint("dim", words.asked.notTaken(visibleLine(message))));
  const items: AnswerItem[] = [];
  /** A choice among other questions may be left out, but not all of them. */
  const maySkip = ({ field }: CoreQuestion) =>
    terminal.leavesOut?.() === true &&
    field === undefined &&
    view.questions.length > 1 &&
    (items.length < view.questions.length - 1 || items.some(({ skipped }) => skipped !== true));
  for (const question of view.questions) {
    const known = before.find(({ question_id }) => question_id === question.id);
    for (;;) {
      const item =
        known ?? (await askOne(terminal, question, maySkip(question), until()).catch(undefinedIfInterrupted));
      if (item !== undefined) {
        items.push(item);
        if (view.questions.length > 1 && terminal.lines.interactive)
          terminal.work?.keep(view.id, withConfirmed(questionForm(view.questions), items));
        break;
      }
      if (await discards(terminal, items.length, until)) return "declined" as const;
    }
  }
  return { items };
}

function undefinedIfInterrupted(error: unknown): undefined {
  if (error !== INTERRUPTED) throw error;
}

/** Asks if a person who declines also discards the earlier answers. Without earlier answers nothing is asked (D13). */
async function discards(terminal: Terminal, given: number, until: () => AbortSignal): Promise<boolean> {
  const { lines, paint, words } = terminal;
  if (given === 0 || !lines.interactive) return true;
  const prompt = paint("dim", `${words.asked.discard(given)} > `);
  for (;;) {
    const line = (await nextLine(terminal, prompt, until()))?.trim();
    if (line === undefined || line === DECLINE || isYes(line)) return true;
    if (isNo(line)) return false;
  }
}

/**
 * Reads a line of the answer; undefined when the person ended the input. Where the input ended otherwise, nobody here
 * answers: waits for the end of the request.
 *
 * @throws the signal's reason.
 */
async function nextLine(
  { lines, nobody }: Terminal,
  prompt: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const line = await lines.next(prompt, signal);
  if (line !== undefined || lines.ended === "typed") return line;
  nobody?.();
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

async function askOne(
  terminal: Terminal,
  question: CoreQuestion,
  skip: boolean,
  signal: AbortSignal,
): Promise<AnswerItem | undefined> {
  const { lines, transcript, paint, words, stopAsking } = terminal;
  lines.dropTyped();
  const planIsShown = transcript.showedPlan(question.body);
  transcript.cardFollows();
  for (const text of questionCard(question, paint, words.asked, { planIsShown })) transcript.line(text);
  const prompt = paint("dim", `${answerHint(question, words.asked, skip)} > `);
  for (;;) {
    const line = await nextLine(terminal, prompt, signal);
    const stop = stopAsking?.();
    const answer =
      line === undefined
        ? { declined: true as const }
        : readAnswerLine(question, line, words.asked, { noAsk: stop !== undefined, skip });
    if ("item" in answer) {
      const isOwn = question.options.length > 0 && !question.field && answer.item.own_text !== undefined;
      for (const said of choicesIn(question, answer.item, words.panel))
        transcript.below(paint("dim", visibleLine(words.asked.understood(said, isOwn))));
      return answer.item;
    }
    if ("declined" in answer) return undefined;
    // The question ends with that, which its signal reports.
    if ("noAsk" in answer) stop?.();
    else transcript.line(answer.again);
  }
}

async function askApproval(
  terminal: Terminal,
  view: ApprovalView,
  issues: readonly AnswerIssue[],
  signal: AbortSignal,
): Promise<ApprovalReply> {
  const { lines, transcript, paint, words } = terminal;
  for (const { message } of issues) transcript.line(paint("dim", words.asked.notTaken(visibleLine(message))));
  lines.dropTyped();
  for (const text of approvalLines(view, paint, words.chat)) transcript.line(`  ${text}`);
  const { action, description } = view;
  const what = words.asked.asksTo(senderOf(view), visibleLine(action), visibleLine(description));
  transcript.line(`${paint("cyan", "!")} ${paint("bold", what)}`);
  for (const line of originLines(view, paint, words.asked)) transcript.line(`  ${line}`);
  const choices = approvalChoices(view, words.asked);
  for (const text of choices.lines) transcript.line(text);
  const edits = takesLine(view);
  const hint = edits ? words.asked.orEdit(choices.hint) : choices.hint;
  let edited: string | undefined;
  for (;;) {
    const line = await nextLine(terminal, paint("dim", `${hint} > `), signal);
    const answer = line === undefined ? { reply: "reject" as const } : readApprovalLine(line, choices, edits);
    if ("reply" in answer) return withEdited(view, answer.reply, edited);
    if ("edited" in answer) {
      edited = answer.edited;
      transcript.line(words.asked.editedTo(visibleLine(edited)));
    } else transcript.line(answer.again);
  }
}
