import type { ApprovalReply, ApprovalView, QuestionReply, QuestionView } from "@askwire/client";
import { answerChoices, visibleLine } from "@askwire/client/text";
import type { AskedWords } from "@askwire/client/words";
import { decisionWords } from "./decision-words.js";

/** The most requests kept. */
const MOST_KEPT = 200;
/** The most characters of a line. */
const LONGEST = 500;

/** The requests of a conversation, and what the person said to them. */
export interface Recall {
  answered(view: QuestionView, reply: QuestionReply): void;
  decided(view: ApprovalView, reply: ApprovalReply): void;
  /** A line for each request and each answer, the oldest first. */
  lines(): readonly string[];
}

export function recall(words: AskedWords): Recall {
  const kept: (readonly string[])[] = [];
  const keep = (lines: readonly string[]) => {
    kept.push(lines.map((line) => visibleLine(line).slice(0, LONGEST)));
    if (kept.length > MOST_KEPT) kept.shift();
  };
  return {
    answered({ questions }, reply) {
      const lines = questions.flatMap((question) => [
        `? ${question.question}`,
        ...saidTo(question, reply, words).map((text) => `  → ${text}`),
      ]);
      keep(lines);
    },
    decided(view, reply) {
      keep([`! ${view.description || view.action}`, `  → ${decisionWords(view, reply, words)}`]);
    },
    lines: () => kept.flat(),
  };
}

type Question = QuestionView["questions"][number];

function saidTo(question: Question, reply: QuestionReply, words: AskedWords): string[] {
  if (typeof reply === "string") return [words.declined];
  if ("declined" in reply) return [reply.note ?? words.declined];
  if ("answers" in reply) {
    const answer = reply.answers[question.question];
    return answer === undefined ? [words.notAnswered] : [String(answer)];
  }
  const item = reply.items.find(({ question_id }) => question_id === question.id);
  const choices = item === undefined ? [] : answerChoices(question, item);
  return choices.length === 0 ? [words.notAnswered] : choices;
}
