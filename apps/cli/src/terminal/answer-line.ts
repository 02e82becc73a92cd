import type { ApprovalReply } from "@askwire/client";
import type { AnswerItem, CoreQuestion } from "@askwire/protocol";

/** What one typed line came to. */
export type LineAnswer = { item: AnswerItem } | { declined: true } | { again: string };

export const DECLINE = "/decline";
/** What leaves a conversation at its prompt; as an answer a person hardly means it. */
export const EXIT = "/exit";

/**
 * Reads one line as the answer to a question: a number, several with commas, a label, or own text. An empty line
 * asks again, and so do own words where they are not taken; `/decline` declines.
 */
export function readAnswerLine(question: CoreQuestion, line: string): LineAnswer {
  const text = line.trim();
  if (text === "") return { again: "An empty line is no answer." };
  if (text === DECLINE) return { declined: true };
  if (line === EXIT) return { again: `${EXIT} is for the prompt: ${DECLINE} first, or a blank before it.` };
  const { id, options } = question;
  if (options.length === 0) return { item: { question_id: id, selected: [], own_text: text } };
  const whole = choice(question, text);
  if (whole !== undefined)
    return whole === "none" ? outOfRange(question) : { item: { question_id: id, selected: [whole] } };
  if (!question.multi_select)
    return question.own_text
      ? { item: { question_id: id, selected: [], own_text: text } }
      : onlyOptions(question);

  const selected = new Set<string>();
  const own: string[] = [];
  for (const piece of text.split(",").map((word) => word.trim())) {
    if (piece === "") continue;
    const found = choice(question, piece);
    if (found === "none") return outOfRange(question);
    if (found === undefined) own.push(piece);
    else selected.add(found);
  }
  if (own.length > 0 && !question.own_text) return onlyOptions(question);
  const item = { question_id: id, selected: [...selected] };
  return { item: own.length === 0 ? item : { ...item, own_text: own.join(", ") } };
}

/** The option that a word names by number or label; "none" for a number that is not there. */
function choice({ options }: CoreQuestion, word: string): string | "none" | undefined {
  const byLabel =
    options.find((option) => option.label === word) ?? options.find((option) => same(option.label, word));
  if (byLabel !== undefined) return byLabel.id;
  return /^\d+$/.test(word) ? (options[Number(word) - 1]?.id ?? "none") : undefined;
}

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

const outOfRange = ({ options }: CoreQuestion): LineAnswer => ({
  again: `There are the numbers 1 to ${options.length}.`,
});

const onlyOptions = ({ options }: CoreQuestion): LineAnswer => ({
  again: `Only the options count here: the numbers 1 to ${options.length}.`,
});

/** Reads one line as the answer to an approval: `y`, `a` or `n [why]`. */
export function readApprovalLine(line: string): { reply: ApprovalReply } | { again: string } {
  const text = line.trim();
  if (text === DECLINE) return { reply: "reject" };
  const [word = "", ...why] = text.split(/\s+/);
  switch (word.toLowerCase()) {
    case "y":
    case "yes":
      return { reply: "approve" };
    case "a":
    case "always":
      return { reply: "approve_for_session" };
    case "n":
    case "no":
      return { reply: { response: "reject", feedback: why.join(" ") } };
    default:
      return { again: "Answer y, a or n." };
  }
}
