// The results of calls. A host hands its model either the text or the structure (docs/mcp.md), so both say the same:
// the text is the `message` of the structure.
import { type HeardOutcome, outcomeWords } from "@askwire/protocol";
import { defined } from "@askwire/protocol/internal";
import { answerValues, linesOfAnswer, toldAnswers } from "./answer-words.js";
import type { AnsweredQuestions, Decision, Listed, OpenQuestions, Result } from "./asking.js";

type Content = { type: "text"; text: string } | { type: "image"; data: string; mimeType: string };

/** The result of a call of a tool, for the host and its model. */
export interface McpCallResult {
  [key: string]: unknown;
  content: Content[];
  structuredContent: { message: string; [member: string]: unknown };
  isError?: boolean;
}

/**
 * Writes how a request ended, or that it is open.
 *
 * @param way the person's way to their questions, where that is told.
 */
export function askResult(result: Result, way?: string): McpCallResult {
  const { outcome, handle, earlier, decision } = result;
  const lost = [...(result.lost ?? []), ...unseen(outcome)];
  const isAnswered = result.items.length > 0;
  const said =
    outcome === undefined
      ? stillOpen(handle, decision !== undefined)
      : decision === undefined
        ? ended(outcome, result)
        : decided(outcome, decision);
  const when =
    earlier === undefined ? [] : [toEarlierCall(earlier, isAnswered || isApproved(outcome, decision))];
  const message = [said, ...when, ...lost, ...(way === undefined ? [] : [way])].join("\n");
  const structured = {
    message,
    ...(decision === undefined
      ? { outcome: outcome ?? null, answers: answerValues(result), items: toldAnswers(result) }
      : {
          approved: outcome === undefined ? null : isApproved(outcome, decision),
          outcome: outcome ?? null,
          ...defined({ feedback: decision.feedback || undefined }),
        }),
    ...defined({ handle, earlier }),
    ...(lost.length > 0 && { lost }),
  };
  return {
    content: [{ type: "text", text: message }, ...pictures(result)],
    structuredContent: structured,
    ...(outcome?.status === "unavailable" && { isError: true }),
  };
}

function stillOpen(handle: string | undefined, isApproval: boolean): string {
  const only = `only {"handle": ${JSON.stringify(handle)}}`;
  return isApproval
    ? `Nobody has decided yet, and the request stays open: the action is not approved, and must not be taken. To wait on, call ask_user_approval with ${only}; to look without waiting, ask_user_status.`
    : `The questions are not answered yet, and stay open. Do not take that for an answer. To wait on, call ask_user_question with ${only}; to look without waiting, ask_user_status.`;
}

/** Says that an end is not one of this call's. Hours and minutes are this machine's. */
function toEarlierCall(at: string, isAnswered: boolean): string {
  const [, time] = /(\d{2}:\d{2})/.exec(new Date(at).toTimeString()) ?? [];
  return `${isAnswered ? "Answered" : "Ended"} at ${time}, to your earlier call.`;
}

function ended(outcome: HeardOutcome, result: Result): string {
  if (result.items.length === 0) return outcomeWords(outcome, "question").message;
  const who =
    outcome.by === "human" ? "The user answered:" : `Answered, by ${outcome.by ?? "nobody that is known"}:`;
  return [who, ...linesOfAnswer(result)].join("\n");
}

function isApproved(outcome: HeardOutcome | undefined, decision: Decision | undefined): boolean {
  const { response } = decision ?? {};
  return outcome?.status === "answered" && (response === "approve" || response === "approve_for_session");
}

function decided(outcome: HeardOutcome, decision: Decision): string {
  const { feedback = "" } = decision;
  if (!isApproved(outcome, decision)) return outcomeWords(outcome, "approval", feedback).message;
  const words = feedback === "" ? "" : ` They said: ${feedback}`;
  return `The user approved this action, as you described it and once.${words}`;
}

/** The parts of the questions that the person who answered could not be shown, as a sentence. */
function unseen(outcome: HeardOutcome | undefined): string[] {
  const parts = (outcome?.degraded ?? []).map(({ feature, question_id }) =>
    question_id === undefined ? feature : `${feature} of ${question_id}`,
  );
  return parts.length === 0 ? [] : [`The person was not shown: ${parts.join(", ")}.`];
}

/** The pictures of answers, as images for a host that shows them to its model. */
const pictures = ({ items }: Result): Content[] =>
  items.flatMap(({ attachments = [] }) =>
    attachments.flatMap((part) => {
      const { url = "" } = Object((part as { readonly image_url?: unknown }).image_url) as {
        readonly url?: string;
      };
      const [, mimeType, data] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? [];
      return mimeType === undefined || data === undefined ? [] : [{ type: "image" as const, mimeType, data }];
    }),
  );

/** Writes which requests are open, and which have ended without a call that fetched their outcome. */
export function openResult(
  open: Listed<OpenQuestions>,
  answered: Listed<AnsweredQuestions> = { listed: [], more: 0 },
): McpCallResult {
  const texts = (questions: readonly string[]) => questions.map((text) => JSON.stringify(text)).join(", ");
  const lines = open.listed.map(({ handle, questions }) => `- ${handle}: ${texts(questions)}`);
  const kept = answered.listed.map(
    ({ handle, questions, at }) => `- ${handle}: ${texts(questions)}, ended at ${at}`,
  );
  const message = [
    ...(lines.length === 0
      ? ["None of your questions is open."]
      : ["These questions are open; call the tool that asked with a handle alone to wait:", ...lines]),
    ...left(open.more, "open"),
    ...(kept.length === 0
      ? []
      : ["The outcome of these was not fetched; ask_user_status with a handle has it:", ...kept]),
    ...left(answered.more, "not fetched"),
  ].join("\n");
  return {
    content: [{ type: "text", text: message }],
    structuredContent: {
      message,
      open: open.listed.map(({ handle, questions }) => ({ handle, questions: [...questions] })),
      ...(open.more > 0 && { not_listed: open.more }),
      ...(answered.listed.length > 0 && {
        not_fetched: answered.listed.map(({ handle, questions, at }) => ({
          ...{ handle, at },
          questions: [...questions],
        })),
      }),
      ...(answered.more > 0 && { not_fetched_not_listed: answered.more }),
    },
  };
}

const left = (more: number, what: string) =>
  more === 0 ? [] : [`${more} more of your questions, which are older, are ${what} and not listed.`];

/** Writes a mistake that the model can correct, or a failure that it can report. */
export const failedResult = (message: string): McpCallResult => ({
  content: [{ type: "text", text: message }],
  structuredContent: { message },
  isError: true,
});
