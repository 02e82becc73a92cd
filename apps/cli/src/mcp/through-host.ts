// Questions in the host's own form, by elicitation. The answer names whatever the form cannot show.
import { type AnswerItem, answersFromItems, type Outcome } from "@askwire/protocol";
import { defined, fieldSchemas, fieldValues } from "@askwire/protocol/internal";
import type { AskedQuestion } from "../ask/questions.js";
import type { Result } from "./asking.js";
import { hostSchema, readHostForm } from "./host-form.js";

/** The host's reply to `elicitation/create`. */
export interface HostReply {
  readonly action?: unknown;
  readonly content?: unknown;
}

/**
 * The time in which no person reads a form and refuses it or leaves it empty, in milliseconds. Hosts without a person
 * answer at once: Claude Code with `cancel`, Codex with `decline`. A person who is quicker counts as nobody.
 */
export const NOBODY_MS = 1_000;

/** The parameters of `elicitation/create` for some questions. */
export function hostForm(questions: readonly AskedQuestion[], asker: string) {
  return { message: `${asker} asks:`, requestedSchema: hostSchema(questions) };
}

/**
 * Reads the host's reply to a form.
 *
 * @param tookMs the time from the form to the reply, in milliseconds.
 */
export function hostResult(questions: readonly AskedQuestion[], reply: HostReply, tookMs: number): Result {
  const { action, content } = reply;
  const lost = lossesOf(questions);
  if (action === "accept") {
    const items = readHostForm(questions, Object(content));
    if (typeof items === "string")
      return nothing(ended("unavailable", "protocol_error", "system", items), lost);
    if (items.some(({ skipped }) => skipped !== true))
      return {
        outcome: ended("answered", undefined, "human"),
        answers: answersOf(questions, items),
        items,
        lost,
      };
  } else if (action !== "decline" && action !== "cancel")
    return nothing(ended("unavailable", "protocol_error", "system", "the host replied with no action"), lost);
  if (tookMs >= NOBODY_MS) return nothing(ended("declined", "dismissed", "human"), lost);
  const note = `The host replied ${action} more quickly than a person reads: nobody was asked.`;
  return nothing(ended("unavailable", "unattended", "system", note), [note]);
}

const nothing = (outcome: Outcome, lost: readonly string[]): Result => ({
  outcome,
  answers: {},
  items: [],
  lost,
});

function ended(
  status: Outcome["status"],
  reason: string | undefined,
  by: Outcome["by"],
  note?: string,
): Outcome {
  const at = new Date().toISOString();
  return { status, by, at, ...defined({ reason, note }) } as Outcome;
}

/** The answers by the texts of the questions, as the wire writes them. */
function answersOf(questions: readonly AskedQuestion[], items: readonly AnswerItem[]) {
  const named = questions.map(({ question, options }, index) => {
    const id = `q${index + 1}`;
    return { id, question, options: options.map(({ label }, at) => ({ id: `${id}_o${at + 1}`, label })) };
  });
  return answersFromItems(named, items);
}

/** The losses on the way through a form, each as a sentence. */
function lossesOf(questions: readonly AskedQuestion[]): string[] {
  const has = (found: (question: AskedQuestion) => boolean) => questions.some(found);
  return [
    "The questions were asked in the host's form alone: nobody saw them where Askwire is open, and they do not outlive the call.",
    ...(has(({ options }) => options.some(({ description }) => description !== ""))
      ? ["Descriptions of options stood in the text of their question."]
      : []),
    ...(has(({ min, max }) => (min ?? max) !== undefined)
      ? ["The numbers of choices were not shown, and were checked after the answer."]
      : []),
    ...(has(({ field }) => field !== undefined && fieldSchemas[field.type].type === "boolean")
      ? ["Yes or no may have been a box, in which no and not answered look alike."]
      : []),
    ...(has(
      ({ field }) =>
        field?.pattern !== undefined ||
        (field?.bounds !== undefined && fieldValues[field.type].boundedBy === "text"),
    )
      ? ["Patterns, and bounds of dates, were not shown, and were checked after the answer."]
      : []),
  ];
}
