import {
  type ApprovalReply,
  type ApprovalView,
  type ClientHandlers,
  type QuestionView,
  RequestSettled,
} from "@askwire/client";
import type { AnswerIssue, AnswerItem, CoreQuestion } from "@askwire/protocol";
import { DECLINE, readAnswerLine, readApprovalLine } from "./answer-line.js";
import { displayLines, isDiff } from "./display-lines.js";
import type { Lines } from "./lines.js";
import type { Paint } from "./paint.js";
import { answerHint, questionCard } from "./question-card.js";
import { whyGone } from "./settled-elsewhere.js";
import type { Transcript } from "./transcript.js";
import { visibleLine } from "./visible-text.js";

/** The person at the terminal: one request at a time, in the order that they came. */
export interface Person extends Required<Pick<ClientHandlers, "question" | "approval">> {
  /** Declines what is being asked. False if nothing is. */
  interrupt(): boolean;
}

interface Terminal {
  readonly lines: Lines;
  readonly transcript: Transcript;
  readonly paint: Paint;
}

export function createPerson(terminal: Terminal): Person {
  let last: Promise<unknown> = Promise.resolve();
  let interrupt: (() => void) | undefined;
  /** Of requests whose answer is given, as far as is known. */
  const answered = new WeakSet<AbortSignal>();

  /** Waits for the terminal, then asks; an interrupt or an abort ends the wait for a line. After an interrupt `until` is new. */
  function inTurn<T>(
    signal: AbortSignal,
    ask: (until: () => AbortSignal) => Promise<T>,
    interrupted: T,
  ): Promise<T> {
    const mine = last.then(async () => {
      signal.throwIfAborted();
      answered.delete(signal);
      let stop = new AbortController();
      const until = () => {
        if (stop.signal.reason === INTERRUPTED && !signal.aborted) stop = new AbortController();
        return stop.signal;
      };
      interrupt = () => stop.abort(INTERRUPTED);
      // At once, so that it stands before what follows from the settlement.
      const gone = () => {
        stop.abort(signal.reason);
        terminal.transcript.line(terminal.paint("dim", `(no longer open: ${whyGone(signal.reason)})`));
      };
      signal.addEventListener("abort", gone, { once: true });
      /** Another answer came first, which the server's reply tells, or its first words after a lost connection. */
      const late = () => {
        const { reason } = signal;
        if (!answered.delete(signal) || !(reason instanceof RequestSettled) || !reason.outcome) return;
        terminal.transcript.line(terminal.paint("dim", `(your answer did not count: ${whyGone(reason)})`));
      };
      try {
        const answer = await ask(until);
        answered.add(signal);
        signal.addEventListener("abort", late, { once: true });
        return answer;
      } catch (error) {
        if (error === INTERRUPTED) return interrupted;
        throw error;
      } finally {
        signal.removeEventListener("abort", gone);
        interrupt = undefined;
      }
    });
    last = mine.catch(() => {});
    return mine;
  }

  return {
    question: (view, { signal, issues }) =>
      inTurn(signal, (until) => askQuestions(terminal, view, issues, until), "declined" as const),
    approval: (view, { signal }) =>
      inTurn<ApprovalReply>(signal, (until) => askApproval(terminal, view, until()), "reject"),
    interrupt() {
      interrupt?.();
      return interrupt !== undefined;
    },
  };
}

const INTERRUPTED = new Error("interrupted");

async function askQuestions(
  terminal: Terminal,
  view: QuestionView,
  issues: readonly AnswerIssue[],
  until: () => AbortSignal,
) {
  const { transcript, paint } = terminal;
  for (const { message } of issues) transcript.line(paint("dim", `(not taken: ${visibleLine(message)})`));
  const items: AnswerItem[] = [];
  for (const question of view.questions) {
    for (;;) {
      const item = await askOne(terminal, question, until()).catch(undefinedIfInterrupted);
      if (item !== undefined) {
        items.push(item);
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

/** Whether a person who declines means the answers too that they gave before; asked only where there are some (D13). */
async function discards(
  { lines, paint }: Terminal,
  given: number,
  until: () => AbortSignal,
): Promise<boolean> {
  if (given === 0 || !lines.interactive) return true;
  const answers = given === 1 ? "the answer" : `the ${given} answers`;
  const prompt = paint("dim", `discard ${answers} that you gave? y: yes, n: ask again > `);
  for (;;) {
    const line = (await lines.next(prompt, until()))?.trim().toLowerCase();
    if (line === undefined || ["y", "yes", DECLINE].includes(line)) return true;
    if (line === "n" || line === "no") return false;
  }
}

async function askOne(
  { lines, transcript, paint }: Terminal,
  question: CoreQuestion,
  signal: AbortSignal,
): Promise<AnswerItem | undefined> {
  lines.dropTyped();
  const planIsShown = transcript.showedPlan(question.body);
  transcript.cardFollows();
  for (const text of questionCard(question, paint, { planIsShown })) transcript.line(text);
  const prompt = paint("dim", `${answerHint(question)} > `);
  for (;;) {
    const line = await lines.next(prompt, signal);
    const answer = line === undefined ? { declined: true as const } : readAnswerLine(question, line);
    if ("item" in answer) return answer.item;
    if ("declined" in answer) return undefined;
    transcript.line(answer.again);
  }
}

async function askApproval(
  { lines, transcript, paint }: Terminal,
  view: ApprovalView,
  signal: AbortSignal,
): Promise<ApprovalReply> {
  lines.dropTyped();
  for (const text of approvalLines(view, paint)) transcript.line(`  ${text}`);
  const what = `${visibleLine(view.sender)} asks to ${visibleLine(view.action)}: ${visibleLine(view.description)}`;
  transcript.line(`${paint("cyan", "!")} ${paint("bold", what)}`);
  for (;;) {
    const line = await lines.next(paint("dim", "y: yes, a: always in this session, n [why]: no > "), signal);
    const answer = line === undefined ? { reply: "reject" as const } : readApprovalLine(line);
    if ("reply" in answer) return answer.reply;
    transcript.line(answer.again);
  }
}

/** What is asked about, but for a command that the description has whole. Files have a name where there are several. */
function approvalLines({ display, description }: ApprovalView, paint: Paint): string[] {
  const paths = new Set(display.filter(isDiff).map(({ path }) => path));
  let last: string | undefined;
  return display.flatMap((block) => {
    if (block.type === "shell" && "command" in block && isTold(String(block.command), description)) return [];
    const lines = displayLines(block, paint);
    if (paths.size < 2 || !isDiff(block) || block.path === last) return lines;
    last = block.path;
    return [paint("bold", visibleLine(block.path)), ...lines];
  });
}

const isTold = (command: string, description: string) =>
  !command.includes("\n") && description.includes(command);
