// The questions of an agent that asks them by a permission: Qwen Code, whose reply has the answers beside the outcome.

import { type AnswerItem, type QuestionInput, validate } from "@askwire/protocol";
import * as z from "@askwire/protocol/internal";
import { permissionReply } from "./permission-reply.js";
import type { PermissionRequest } from "./shapes.js";

/** The option that sends the answers, and the one that gives none. */
const [SEND, NONE] = ["proceed_once", "cancel"] as const;

const Questions = z.looseObject({
  questions: z.array(
    z.looseObject({
      question: z.string(),
      header: z.optional(z.string()),
      options: z.array(z.looseObject({ label: z.string(), description: z.optional(z.string()) })),
      multiSelect: z.optional(z.boolean()),
    }),
  ),
});

/** Questions that a permission asks. */
export interface PermissionQuestions {
  readonly questions: readonly QuestionInput[];
  /** The reply with the answers of a person, by the ids of positions (P-QST-2). */
  answered(items: readonly AnswerItem[]): object;
  /** The reply to a person who does not want to answer. */
  readonly declined: object;
}

/** The questions that a permission asks in the place of a decision; undefined for any other permission. */
export function askedQuestions({ toolCall, options }: PermissionRequest): PermissionQuestions | undefined {
  const ids = options.map(({ optionId }) => optionId);
  if (ids.length !== 2 || ids[0] !== SEND || ids[1] !== NONE) return undefined;
  const read = validate(Questions, toolCall?.rawInput);
  if (!read.ok || read.value.questions.length === 0) return undefined;
  const { questions } = read.value as z.output<typeof Questions>;
  return {
    questions: questions.map(({ question, header, options, multiSelect = false }) => ({
      question,
      ...z.defined({ header }),
      options: options.map(({ label, description }) => ({ label, ...z.defined({ description }) })),
      multi_select: multiSelect,
      own_text: true,
    })),
    answered: (items) => {
      const words = questions.map(({ options }, index) => wordsOf(items, `q${index + 1}`, options));
      const said = Object.entries(words).filter(([, text]) => text !== "");
      return permissionReply(SEND, { answers: Object.fromEntries(said) });
    },
    declined: permissionReply(NONE, {}),
  };
}

/** The labels of what was chosen, own words and the note of one question, as its agent's own form joins them. */
function wordsOf(items: readonly AnswerItem[], id: string, options: readonly { label: string }[]): string {
  const item = items.find(({ question_id }) => question_id === id);
  const chosen = options.filter((_option, index) => item?.selected.includes(`${id}_o${index + 1}`));
  const own = [item?.own_text ?? ""].filter((text) => text.trim() !== "");
  const said = [...chosen.map(({ label }) => label), ...own].join(", ");
  const note = item?.note?.trim() ?? "";
  return note === "" ? said : `${said} (${note})`.trim();
}
