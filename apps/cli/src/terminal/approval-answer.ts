import type { ApprovalReply, ApprovalView } from "@askwire/client";
import { visibleLine } from "@askwire/client/text";
import type { AskedWords } from "@askwire/client/words";
import { isLasting, plainWidth, rejectionOf, standardLabel } from "@askwire/protocol";
import { DECLINE, isAlways, isNo, isYes } from "./answer-line.js";
import { approvalWords } from "./approval-words.js";

type Options = NonNullable<ApprovalView["options"]>;

/** The answers that a line may give to an approval. */
export interface ApprovalChoices {
  /** The answer of `y`; undefined where several options approve this once. */
  readonly yes: ApprovalReply | undefined;
  /** The answer of `a`: the first option that lasts; undefined without one. */
  readonly always: ApprovalReply | undefined;
  readonly no: (feedback: string) => ApprovalReply;
  /** The answers by number, where `y`, `a` and `n` do not name them all. */
  readonly numbered: readonly ApprovalReply[];
  /** The lines that show the numbers. */
  readonly lines: readonly string[];
  /** The keys of an answer. */
  readonly hint: string;
  /** The words for a line that is no answer. */
  readonly again: string;
}

/** The answers to an approval, by its options or the three of the base profile. */
export function approvalChoices(view: ApprovalView, words: AskedWords): ApprovalChoices {
  const { options } = view;
  if (options === undefined) {
    return {
      yes: "approve",
      always: "approve_for_session",
      no: (feedback) => ({ response: "reject", feedback }),
      numbered: [],
      lines: [],
      hint: words.howToApprove(""),
      again: words.answerLetters(true),
    };
  }
  const allowing = options.filter(({ kind }) => kind === "allow");
  const [once, ...further] = allowing.filter(({ scope }) => !isLasting(scope));
  const [always, ...wider] = allowing.filter(({ scope }) => isLasting(scope));
  const reject = rejectionOf(options);
  const isOneReject = options.filter(({ kind }) => kind === "reject").length === 1 && reject !== undefined;
  const said = approvalWords(words);
  const shown = (option: Options[number]) => {
    const { label, description } = said.option?.(option, view.action) ?? {
      label: option.label,
      description: "",
    };
    return { label: visibleLine(label), description: visibleLine(description) };
  };
  const isUnclear = further.length > 0 || once === undefined;
  const saysItself =
    always !== undefined || options.every((option) => option.label === standardLabel(option));
  const isListed = isUnclear || !saysItself || wider.length > 0 || !isOneReject;
  const letters = words.howToApprove(always === undefined ? undefined : shown(always).description);
  return {
    yes: isUnclear ? undefined : { option: once.id },
    always: always && { option: always.id },
    no: (feedback) =>
      reject === undefined ? { response: "reject", feedback } : { option: reject.id, feedback },
    numbered: isListed ? options.map(({ id }) => ({ option: id })) : [],
    lines: isListed ? options.map((option, index) => numbered(index, shown(option))) : [],
    hint: isUnclear ? words.howToApproveByNumber : isListed ? words.orByNumber(letters) : letters,
    again: isListed ? words.answerNumber(options.length) : words.answerLetters(always !== undefined),
  };
}

const numbered = (index: number, { label, description }: { label: string; description: string }) =>
  `  ${index + 1}. ${label}${description === "" ? "" : ` · ${description}`}`;

/** True for an approval whose text is one line, which a line can replace. */
export const takesLine = ({ edit }: ApprovalView): boolean =>
  edit !== undefined && !/[\r\n]/.test(edit.content);

/**
 * Reads one line as the answer to an approval: `y`, `a` or a number alone, or `n [why]`; or as another text, `e TEXT`,
 * where one line can be changed. Prose asks again.
 */
export function readApprovalLine(
  line: string,
  { yes, always, no, numbered, again }: ApprovalChoices,
  edits = false,
): { reply: ApprovalReply } | { again: string } | { edited: string } {
  const text = line.trim();
  if (text === DECLINE) return { reply: "reject" };
  const [word = "", ...why] = text.split(/\s+/);
  if (edits && /^e$/i.test(plainWidth(word)) && why.length > 0) {
    return { edited: text.slice(word.length).trim() };
  }
  if (isNo(word)) return { reply: no(why.join(" ")) };
  const number = plainWidth(word);
  const chosen = isYes(word)
    ? yes
    : isAlways(word)
      ? always
      : /^\d+$/.test(number)
        ? numbered[Number(number) - 1]
        : undefined;
  return why.length > 0 || chosen === undefined ? { again } : { reply: chosen };
}

/** A reply with the changed text, where the reply allows and the text is another one. */
export function withEdited(
  view: ApprovalView,
  reply: ApprovalReply,
  edited: string | undefined,
): ApprovalReply {
  if (edited === undefined || edited === view.edit?.content) return reply;
  if (typeof reply === "string") return reply === "reject" ? reply : { response: reply, edited };
  const allows =
    "option" in reply
      ? view.options?.some(({ id, kind }) => id === reply.option && kind === "allow")
      : reply.response !== "reject";
  return allows ? { ...reply, edited } : reply;
}
