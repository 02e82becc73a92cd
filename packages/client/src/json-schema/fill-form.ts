import type { AnswerItem, HeardOutcome, Outcome, QuestionInput } from "@askwire/protocol";
import { type Form, type FormToAsk, formOf, readForm } from "./form.js";
import type { FormContent, FormField } from "./form-field.js";

/** The end of a form: the content that fits its schema, the outcome without one, or what did not fit to the last. */
export type FormEnd<O = Outcome> =
  | { readonly content: FormContent; readonly notes: ReadonlyMap<string, string> }
  | { readonly outcome: O }
  | { readonly unfit: string };

/**
 * Puts questions to people.
 *
 * @param round 0 for the first questions, and 1 more for each that asks again for what did not fit.
 * @returns the answers by the positions of the questions (P-QST-2); none for an end without an answer.
 */
export type AskForm<O> = (
  questions: QuestionInput[],
  round: number,
) => Promise<{ readonly outcome: O; readonly items?: readonly AnswerItem[] | undefined }>;

/** Times that a person is asked again for what does not fit. */
const MOST_ROUNDS = 10;

/**
 * Asks people to fill in a form. What does not fit the schema is asked again, with the mistake, ten times at most.
 * A form without properties is agreed to or not: a no is the outcome `declined`.
 *
 * @throws Unshowable for a form that cannot be shown as intended, and what `ask` throws.
 */
export async function fillForm<O extends Outcome | HeardOutcome>(
  asked: FormToAsk,
  ask: AskForm<O>,
): Promise<FormEnd<O>> {
  const form = formOf(asked);
  if (form.fields.length === 0) return confirm(asked.message, ask);
  const content: FormContent = new Map();
  const notes = new Map<string, string>();
  let left = form.fields;
  let mistakes: ReadonlyMap<string, string> = new Map();
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const { outcome, items } = await ask(questionsOf({ ...form, fields: left }, mistakes), round);
    if (outcome.status !== "answered" || items === undefined) return { outcome };
    mistakes = readForm(left, items, content);
    for (const { question_id, note } of items) {
      const key = left[Number(question_id.slice(1)) - 1]?.key;
      if (key !== undefined && note !== undefined) notes.set(key, note);
    }
    if (mistakes.size === 0) return { content, notes };
    left = left.filter(({ key }) => mistakes.has(key));
  }
  return { unfit: [...mistakes].map(([key, problem]) => `${key}: ${problem}`).join("; ") };
}

async function confirm<O extends Outcome | HeardOutcome>(
  question: string,
  ask: AskForm<O>,
): Promise<FormEnd<O>> {
  const options = [{ label: "Yes" }, { label: "No" }];
  const { outcome, items } = await ask([{ question, options, own_text: false }], 0);
  const chosen = items?.[0]?.selected[0];
  if (chosen === "q1_o1") return { content: new Map(), notes: new Map() };
  return {
    outcome: chosen === undefined ? outcome : { ...outcome, status: "declined", reason: "dismissed" },
  };
}

/** The questions of fields: what is to be read first stands above the first of them, a mistake above its own. */
function questionsOf({ fields, intro }: Form, mistakes: ReadonlyMap<string, string>): QuestionInput[] {
  return fields.map(({ key, question }: FormField, index) => {
    const mistake = mistakes.get(key);
    const paragraphs = [
      index === 0 ? intro : "",
      question.body ?? "",
      mistake === undefined ? "" : `The answer did not fit: ${mistake}.`,
    ];
    const body = paragraphs.filter((text) => text !== "").join("\n\n");
    return { ...question, ...(body !== "" && { body }) };
  });
}
