import type { Outcome, QuestionInput } from "@askwire/protocol";
import { type AgentSession, QuestionRequest } from "@askwire/server";
import { askElicited } from "./ask-person.js";
import { type Form, formOf, readForm } from "./form.js";
import { type FormContent, type FormField, Unshowable } from "./form-field.js";
import type { Elicitation } from "./shapes.js";

/** The end of a form: the content that fits the schema, or the outcome without one. */
export type FormEnd =
  | { readonly content: FormContent; readonly notes: ReadonlyMap<string, string> }
  | { readonly outcome: Outcome }
  | { readonly unfit: string };

/** Times that a person is asked again for what does not fit. */
const MOST_ROUNDS = 10;

/**
 * Asks a person to fill in a form. What does not fit the schema is asked again, with the mistake.
 *
 * @throws Unshowable for a form that cannot be shown as intended.
 */
export async function askForm(
  asked: Elicitation,
  signal: AbortSignal,
  session: Pick<AgentSession, "open">,
): Promise<FormEnd> {
  const form = formOf(asked);
  const content: FormContent = new Map();
  const notes = new Map<string, string>();
  if (form.fields.length === 0) return confirm(asked, signal, session);
  let left = form.fields;
  let mistakes: ReadonlyMap<string, string> = new Map();
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const request = requestOf(asked, questionsOf({ ...form, fields: left }, mistakes));
    const { outcome, answer } = await askElicited(session, request, signal);
    if (outcome.status !== "answered" || answer === undefined) return { outcome };
    mistakes = readForm(left, answer.items, content);
    for (const { question_id, note } of answer.items) {
      const key = left[Number(question_id.slice(1)) - 1]?.key;
      if (key !== undefined && note !== undefined) notes.set(key, note);
    }
    if (mistakes.size === 0) return { content, notes };
    left = left.filter(({ key }) => mistakes.has(key));
  }
  return { unfit: [...mistakes].map(([key, problem]) => `${key}: ${problem}`).join("; ") };
}

/** A form without properties is agreed to or not. */
async function confirm(
  asked: Elicitation,
  signal: AbortSignal,
  session: Pick<AgentSession, "open">,
): Promise<FormEnd> {
  const options = [{ label: "Yes" }, { label: "No" }];
  const request = requestOf(asked, [{ question: asked.message, options, own_text: false }]);
  const { outcome, answer } = await askElicited(session, request, signal);
  const chosen = answer?.items[0]?.selected[0];
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

function requestOf({ toolCallId }: Elicitation, questions: QuestionInput[]): QuestionRequest {
  try {
    return new QuestionRequest({ tool_call_id: toolCallId ?? "", questions });
  } catch (error) {
    throw error instanceof TypeError ? new Unshowable(error.message) : error;
  }
}
