import type { AnswerItem, ContentPart } from "@askwire/protocol";
import type { QuestionAnswer } from "@askwire/server";
import { imagesOf } from "../said-beside.js";
import { withImages } from "../with-images.js";
import type { KlaudeQuestions } from "./read-call.js";

/** A question and its answer for display: `ui_extra` of a result. */
export interface QuestionSummary {
  readonly question: string;
  /** The choices, a line each; else the reason for their absence. */
  readonly summary: string;
  readonly answered: boolean;
}

/** The text of a result, and the same for programs. */
export interface ResultText {
  readonly output: string | ContentPart[];
  readonly summaries: readonly QuestionSummary[];
}

type Question = KlaudeQuestions["questions"][number];

const NO_ANSWER = "(No answer provided)";

/** Every question with the same words instead of an answer. */
export function unansweredText({ texts }: KlaudeQuestions, words: string): ResultText {
  return {
    output: joined(texts.map((text) => block(text, ` ${words}`))),
    summaries: texts.map((question) => ({ question, summary: words, answered: false })),
  };
}

/** Every question answered with the same own text, by nobody. */
export function policyText({ questions, texts }: KlaudeQuestions, words: string): ResultText {
  const blocks = questions.map((question, index) =>
    block(texts[index] as string, choices(question, [`Other: ${words}`])),
  );
  return {
    output: joined(blocks),
    summaries: texts.map((question) => ({ question, summary: words, answered: false })),
  };
}

/**
 * Writes the answers by id (P-KLA-4, L-24 to L-26). Each chosen option has its description, own text and notes. A
 * single choice also has its preview.
 *
 * @param note the person's words on the answer as a whole.
 */
export function answeredText(
  { questions, texts }: KlaudeQuestions,
  answer: QuestionAnswer,
  note: string | undefined,
): ResultText {
  const given = new Map(answer.items.map((item) => [item.question_id, item]));
  const blocks: string[] = [];
  const summaries: QuestionSummary[] = [];
  questions.forEach((question, index) => {
    const text = texts[index] as string;
    const said = read(question, given.get(question.id));
    blocks.push([block(text, choices(question, said.lines)), ...said.more].join("\n"));
    summaries.push({ question: text, summary: said.summary, answered: said.lines.length > 0 });
  });
  if (note !== undefined && note.trim() !== "") blocks.push(`Note: ${note}`);
  return { output: withImages(joined(blocks), imagesOf({ answer }), summaries), summaries };
}

/** Reads an item: the choices as lines, the lines after them, and the choices for a person. */
function read({ options, multi_select }: Question, item: AnswerItem | undefined) {
  const chosen = options.filter(({ id }) => item?.selected.includes(id));
  const { own_text = "", note = "" } = item ?? {};
  const own = own_text.trim() === "" ? [] : [own_text];
  // A client with one field for both repeats the own text in the note (L-30).
  const isSaid = note.trim() === "" || own.includes(note);
  const [only] = chosen;
  const preview = multi_select === true ? undefined : only?.preview;
  const summary = [
    ...chosen.map(({ label, description }) => (description === "" ? label : `${label} · ${description}`)),
    ...own,
  ];
  return {
    lines: [...chosen.map(choice), ...own.map((text) => `Other: ${text}`)],
    more: [
      ...(isSaid ? [] : [`Note: ${note}`]),
      ...(preview === undefined ? [] : [`Selected markdown:\n${preview}`]),
    ],
    summary: summary.length === 0 ? NO_ANSWER : summary.join("\n"),
  };
}

const choice = ({ label, description }: Question["options"][number]) =>
  description === "" ? `${label}:` : `${label}: ${description}`;

/** The text after `Answer:`. */
function choices({ multi_select }: Question, lines: readonly string[]): string {
  if (lines.length === 0) return ` ${NO_ANSWER}`;
  return multi_select === true ? lines.map((line) => `\n- ${line}`).join("") : ` ${lines.join(", ")}`;
}

const block = (question: string, answer: string) => `Question: ${question}\nAnswer:${answer}`;
const joined = (blocks: readonly string[]) => blocks.join("\n---\n");
