import type { AnswerItem, CoreOption, CoreQuestion } from "@askwire/protocol";

/** The chosen options of an answer, and its own text; empty without any. The value of a boolean is one of its options. */
export function answerParts(
  { options, field }: CoreQuestion,
  { selected, own_text = "" }: AnswerItem,
): { chosen: CoreOption[]; said: string } {
  const isOption = field !== undefined && options.length > 0 && own_text !== "";
  const ids = isOption ? [own_text] : selected;
  return { chosen: options.filter(({ id }) => ids.includes(id)), said: isOption ? "" : own_text };
}
