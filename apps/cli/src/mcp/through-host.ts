// Questions in the host's own form, by elicitation. The answer names whatever the form cannot show.
import { type AnswerItem, answersFromItems, type Outcome } from "@askwire/protocol";
import { defined, fieldSchemas, fieldValues } from "@askwire/protocol/internal";
import type { AskedQuestion } from "../ask/questions.js";
import type { Result } from "./asking.js";
import { fittingContent, hostSchema, readHostForm } from "./host-form.js";

/** The host's reply to `elicitation/create`. */
export interface HostReply {
  readonly action?: unknown;
  readonly content?: unknown;
}

/** A form that is shown: when, after which number of others, and with which mistake of the last. */
export interface FormTry {
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly tries: number;
  readonly mistake?: string;
  /** The values of the last form that fit. */
  readonly before?: Readonly<Record<string, unknown>>;
}

/** The next step after a reply: the end, the form again, or the gateway, with the reason in a sentence. */
export type FormStep =
  | { readonly result: Result }
  | { readonly again: FormTry }
  | { readonly elsewhere: string };

/**
 * The time in which no person reads a form and refuses it or leaves it empty, in milliseconds. Hosts without a person
 * answer at once: Claude Code with `cancel`, Codex with `decline`. A person who is quicker counts as nobody.
 */
export const NOBODY_MS = 1_000;

/** The forms that a person is shown before the questions are asked at the gateway. */
const MOST_TRIES = 3;

const ELSEWHERE = "so the questions were asked where Askwire is open.";

/** The reason where the host shows no form. */
export const NO_FORMS = `This host does not show forms, ${ELSEWHERE}`;

/** The reason where the form has failed. */
export const formFailed = (message: string) => `The host's form failed (${message}), ${ELSEWHERE}`;

/** The parameters of `elicitation/create` for some questions. */
export function hostForm(questions: readonly AskedQuestion[], asker: string, { mistake, before }: FormTry) {
  const message =
    mistake === undefined ? `${asker} asks:` : `${asker} asks again, since this did not fit: ${mistake}`;
  return { message, requestedSchema: hostSchema(questions, before) };
}

/**
 * Reads the host's reply to a form.
 *
 * @param now milliseconds since 1970.
 */
export function afterForm(
  questions: readonly AskedQuestion[],
  reply: HostReply,
  { since, tries }: FormTry,
  now: number,
): FormStep {
  const { action } = reply;
  const content = Object(reply.content) as Readonly<Record<string, unknown>>;
  const lost = lossesOf(questions);
  if (action === "accept") {
    const items = readHostForm(questions, content);
    if (typeof items === "string") {
      if (tries + 1 === MOST_TRIES)
        return {
          elsewhere: `The host's form came back ${MOST_TRIES} times with what does not fit (${items}), ${ELSEWHERE}`,
        };
      return {
        again: { since: now, tries: tries + 1, mistake: items, before: fittingContent(questions, content) },
      };
    }
    if (items.some(({ skipped }) => skipped !== true))
      return {
        result: {
          ...{ outcome: ended("answered"), items, lost, questions },
          answers: answersOf(questions, items),
        },
      };
  } else if (action !== "decline" && action !== "cancel") {
    return { elsewhere: formFailed("the host replied with no action") };
  }
  if (now - since >= NOBODY_MS)
    return { result: { outcome: ended("declined", "dismissed"), answers: {}, items: [], lost } };
  return {
    elsewhere: `The host replied ${action} to its form more quickly than a person reads: nobody was asked there, ${ELSEWHERE}`,
  };
}

const ended = (status: Outcome["status"], reason?: string): Outcome =>
  ({ status, by: "human", at: new Date().toISOString(), ...defined({ reason }) }) as Outcome;

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
    ...(has(({ options }) => options.some(({ preview }) => preview !== undefined))
      ? ["Previews of options were not shown."]
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
