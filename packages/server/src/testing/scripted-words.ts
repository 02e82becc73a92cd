import {
  type AnswerItem,
  type AnswerParams,
  type ApprovalKind,
  type CoreOption,
  type CoreQuestion,
  type ExtendedApprovalRequest,
  isLasting,
  rejectionOf,
} from "@askwire/protocol";

/** The word of a person who closes a question, or would rather talk about it. */
export interface ScriptedRefusal {
  readonly declined: "dismissed" | "discuss";
  /** The person's words. Default: none. */
  readonly note?: string;
}

/**
 * An answer to one question. A text is the label or the id of an option, and any other text the person's own words; a
 * list has several of them. A number or a boolean answers a field of that type. An object has all that an answer can
 * have, its options by label or id.
 */
export type ScriptedAnswer =
  | string
  | number
  | boolean
  | readonly string[]
  | ({ readonly selected?: readonly string[] } & Readonly<
      Pick<AnswerItem, "own_text" | "skipped" | "note" | "attachments">
    >);

/**
 * An answer to an approval: a kind alone, or with the person's words, or an option by its id. Of an approval with
 * options of its own, `approve` is the only one that allows this call alone, and `reject` the first that rejects it.
 */
export type ScriptedApproval =
  | ApprovalKind
  | { readonly response: ApprovalKind; readonly feedback?: string; readonly edited?: string }
  | { readonly option: string; readonly feedback?: string; readonly edited?: string }
  | ScriptedRefusal;

/** The part of an `answer` that a script decides. */
export type ScriptedWords = Pick<
  AnswerParams,
  "outcome" | "items" | "response" | "option" | "edited" | "feedback"
>;

/** True for the word of a person who does not answer. */
export const isRefusal = (said: unknown): said is ScriptedRefusal =>
  typeof said === "object" && said !== null && "declined" in said;

/** The words that decline a request. */
export const refusalWords = ({ declined, note }: ScriptedRefusal): ScriptedWords => ({
  outcome: { status: "declined", reason: declined, ...(note !== undefined && { note }) },
});

/** The answer to one question by ids. The server checks whether it fits. */
export function scriptedItem({ id: question_id, options }: CoreQuestion, said: ScriptedAnswer): AnswerItem {
  if (isRecord(said)) {
    const { selected = [], ...rest } = said;
    return { question_id, selected: selected.map((name) => optionNamed(options, name)?.id ?? name), ...rest };
  }
  const texts = (Array.isArray(said) ? said : [said]).map(String);
  const chosen = texts.map((text) => [text, optionNamed(options, text)] as const);
  const own_text = chosen.flatMap(([text, option]) => (option === undefined ? [text] : [])).join(", ");
  return {
    question_id,
    selected: chosen.flatMap(([, option]) => option?.id ?? []),
    ...(own_text !== "" && { own_text }),
  };
}

const isRecord = (said: ScriptedAnswer): said is Extract<ScriptedAnswer, { selected?: unknown }> =>
  typeof said === "object" && !Array.isArray(said);

const optionNamed = (options: readonly CoreOption[], name: string): CoreOption | undefined =>
  options.find(({ label }) => label === name) ?? options.find(({ id }) => id === name);

/**
 * The answer to an approval.
 *
 * @throws TypeError for a kind that stands for none, or for several, of the approval's own options.
 */
export function wordsOnApproval(
  { options, description }: ExtendedApprovalRequest,
  said: ScriptedApproval,
): ScriptedWords {
  if (isRefusal(said)) return refusalWords(said);
  const { feedback, edited, ...choice } = typeof said === "string" ? { response: said } : said;
  const rest = { ...(feedback !== undefined && { feedback }), ...(edited !== undefined && { edited }) };
  const outcome = { status: "answered" };
  if ("option" in choice) return { outcome, option: choice.option, ...rest };
  if (options === undefined) return { outcome, response: choice.response, ...rest };
  const option = optionFor(options, choice.response);
  if (option !== undefined) return { outcome, option: option.id, ...rest };
  const ids = options.map(({ id }) => JSON.stringify(id)).join(", ");
  throw new TypeError(
    `"${choice.response}" is no one option of ${JSON.stringify(description)}: script {option} with one of ${ids}`,
  );
}

function optionFor(options: NonNullable<ExtendedApprovalRequest["options"]>, response: ApprovalKind) {
  if (response === "reject") return rejectionOf(options);
  if (response === "approve_for_session") return undefined;
  const [first, ...others] = options.filter(({ kind, scope }) => kind === "allow" && !isLasting(scope));
  return others.length === 0 ? first : undefined;
}
