import { type ApprovalToAsk, askApproval } from "@askwire/client";
import type { QuestionInput } from "@askwire/protocol";
import { defined } from "@askwire/protocol/internal";
import { askByForm, type FormReply } from "./ask-by-form.js";
import { askKey } from "./ask-key.js";
import { askQuestions, type NoReply, type QuestionsReply } from "./ask-questions.js";
import type { AskingSession } from "./asking-session.js";

/**
 * The ask of a program: a question in words, answered in words; questions; an action to allow; or a form by its JSON
 * Schema.
 */
export type ProgramAsk =
  | string
  | { readonly questions: readonly QuestionInput[] }
  | { readonly approval: ApprovalToAsk }
  | { readonly message: string; readonly schema: unknown };

/** The decision on an action. */
export type DecisionReply =
  | {
      readonly answered: true;
      readonly approved: true;
      /** The id of the chosen option, where the approval has its own. */
      readonly option?: string;
      /** The text to go on with, where the person changed it. */
      readonly edited?: string;
      /** The person's words, where they wrote some. */
      readonly feedback?: string;
    }
  | (NoReply & { readonly approved: false; readonly feedback?: string });

/** The reply to a {@link ProgramAsk}, of its kind. Every member is JSON. */
export type ProgramReply = QuestionsReply | FormReply | DecisionReply | NoReply;

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/**
 * Reads an ask where a program gives it.
 *
 * @param place the giver, with which the message begins.
 * @throws TypeError for any other value, with the next step.
 */
export function readProgramAsk(place: string, value: unknown): ProgramAsk {
  if (typeof value === "string") return value;
  const { questions, approval, message, schema } = Object(value) as Readonly<Record<string, unknown>>;
  const isForm = typeof message === "string" && isObject(schema);
  if (Array.isArray(questions) || isObject(approval) || isForm) return value as ProgramAsk;
  throw new TypeError(
    `${place}: expected a text, {questions}, {approval} or {message, schema}; give \`asks\` to make one of other values`,
  );
}

/**
 * Puts an ask to people, and waits.
 *
 * @param ids the ids that no other ask has together.
 * @throws Unshowable for a form that cannot be shown as intended, LocalError and WireError as `session.ask`.
 */
export async function askForProgram(
  session: AskingSession,
  ask: ProgramAsk,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ProgramReply> {
  const key = await askKey(...ids);
  if (typeof ask === "string") {
    const question: QuestionInput = { question: ask, field: { type: "text" } };
    return askQuestions(session, [question], { key, signal });
  }
  if ("questions" in ask) return askQuestions(session, ask.questions, { key, signal });
  if ("schema" in ask) return askByForm(session, { ...ask, ids, signal });
  const { approved, option, edited, feedback, words, outcome } = await askApproval(session, {
    ...ask.approval,
    key,
    signal,
  });
  if (approved) return { answered: true, approved, ...defined({ option, edited, feedback }) };
  const { status } = outcome;
  const { message } = words;
  return { answered: false, approved: false, status, message, ...defined({ feedback }) };
}
