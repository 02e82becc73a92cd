import type { AnswerItem, QuestionInput } from "@askwire/protocol";
import { defined } from "@askwire/protocol/internal";

/** A question of Claude's tool AskUserQuestion. Its text is the key of its answer. */
export interface ClaudeQuestion {
  readonly question: string;
  /** A tag of at most 12 characters. */
  readonly header?: string;
  readonly options: readonly {
    readonly label: string;
    readonly description?: string;
    /** Markdown to look at before choosing it. */
    readonly preview?: string;
  }[];
  /** True if several options may be chosen. Default: false. */
  readonly multiSelect?: boolean;
}

/** The answers in the form that Claude's tool reads: members of its `updatedInput`. */
export interface ClaudeAnswers {
  /** The labels or own words by the text of the question. Labels of several choices are joined by commas. */
  readonly answers: Readonly<Record<string, string>>;
  /** Notes, previews and skips beside the answers, by the text of the question. */
  readonly annotations: Readonly<Record<string, ClaudeAnnotation>>;
}

/** The note, the preview or the skip that Claude reads beside an answer. */
export interface ClaudeAnnotation {
  readonly notes?: string;
  /** The preview of the chosen option. */
  readonly preview?: string;
  readonly unanswered?: "skipped";
}

/**
 * Reads the input of AskUserQuestion as far as people are shown it.
 *
 * @throws TypeError that names the place, for an input in a form that is not known.
 */
export function readClaudeQuestions(input: Readonly<Record<string, unknown>>): readonly ClaudeQuestion[] {
  listAt("questions", input.questions).forEach((question, at) => {
    const { question: text, options } = Object(question);
    textAt(`questions[${at}].question`, text);
    listAt(`questions[${at}].options`, options).forEach((option, o) => {
      textAt(`questions[${at}].options[${o}].label`, Object(option).label);
    });
  });
  return input.questions as readonly ClaudeQuestion[];
}

function listAt(place: string, value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new TypeError(`AskUserQuestion: ${place}: expected a list`);
  return value;
}

function textAt(place: string, value: unknown): void {
  if (typeof value !== "string") throw new TypeError(`AskUserQuestion: ${place}: expected a text`);
}

/** The questions of a call of AskUserQuestion, for `session.ask`. They have ids by position: `q1`, `q1_o2`. */
export const claudeQuestions = (questions: readonly ClaudeQuestion[]): QuestionInput[] =>
  questions.map(({ question, header, options, multiSelect = false }) => ({
    question,
    ...defined({ header }),
    options: options.map(({ label, description, preview }) => ({
      label,
      // Claude's own form shows no previews beside several choices.
      ...defined({ description, preview: multiSelect ? undefined : preview }),
    })),
    multi_select: multiSelect,
  }));

/** Writes answers by ids as Claude's tool reads them. A question that was skipped has no answer, and says so. */
export function claudeAnswers(
  questions: readonly ClaudeQuestion[],
  items: readonly AnswerItem[],
): ClaudeAnswers {
  const answers: Record<string, string> = {};
  const annotations: Record<string, ClaudeAnnotation> = {};
  questions.forEach(({ question, options, multiSelect }, index) => {
    const id = `q${index + 1}`;
    const item = items.find(({ question_id }) => question_id === id);
    const chosen = options.filter((_option, o) => item?.selected.includes(`${id}_o${o + 1}`));
    const own = item?.own_text?.trim() ? [item.own_text] : [];
    const labels = [...chosen.map(({ label }) => label), ...own];
    if (labels.length > 0)
      answers[question] = multiSelect ? labels.map(listed).join(", ") : labels.join(", ");
    const notes = notesOf(item);
    const preview = multiSelect ? undefined : chosen[0]?.preview;
    const unanswered = labels.length === 0 ? ("skipped" as const) : undefined;
    const annotation = defined({ notes, preview, unanswered });
    if (Object.keys(annotation).length > 0) annotations[question] = annotation;
  });
  return { answers, annotations };
}

/** A label among several, in quotes where it has a comma: without them it would read as two. */
const listed = (label: string): string => (label.includes(",") ? JSON.stringify(label) : label);

/** The person's note. Claude's tool takes no pictures, so the note says that there were some. */
function notesOf(item: AnswerItem | undefined): string | undefined {
  const pictures = item?.attachments?.length ?? 0;
  const lost = pictures === 0 ? "" : `(Pictures that came with it and cannot be shown here: ${pictures})`;
  const notes = [item?.note?.trim() ?? "", lost].filter((text) => text !== "");
  return notes.length > 0 ? notes.join("\n") : undefined;
}
