import { type FormState, isBegun, type QuestionDraft, statusOf } from "@askwire/client/form";
import type { CoreQuestion } from "@askwire/protocol";
import { oneLine } from "../device/fitted-text.js";
import type { Drawing } from "./drawing.js";
import { windowAround } from "./layout.js";

/** The most columns of a tab's label. */
const LABEL = 20;

const marks = { open: "☐", answered: "✔", edited: "◐" } as const;

/** Reports if a choice or text was never confirmed. */
export const isUnconfirmed = (question: CoreQuestion, draft: QuestionDraft): boolean =>
  draft.confirmed === undefined && isBegun(question, draft);

/** The short name of a question: its header, or its number. */
export const tabLabel = (
  question: CoreQuestion,
  index: number,
  { words, texts }: Pick<Drawing, "words" | "texts">,
): string =>
  question.header.trim() === "" ? words.tab(index + 1) : texts.cut(oneLine(question.header), LABEL);

/** The tabs of a form, the shown tab in brackets. If not all fit, its neighbours, with `‹` and `›` for hidden tabs. */
export function tabBar(form: FormState, drawing: Drawing): string {
  const { words, paint, texts, columns } = drawing;
  const tabs = form.questions.map((question, index) => {
    const draft = form.drafts[index] as QuestionDraft;
    const status = isUnconfirmed(question, draft) ? "edited" : statusOf(question, draft);
    const mark = status === "answered" ? paint("green", marks[status]) : marks[status];
    return `${mark} ${tabLabel(question, index, drawing)}`;
  });
  const shown = [...tabs, words.reviewTab].map((tab, index) =>
    index === form.tab ? `${paint("cyan", "[")}${tab}${paint("cyan", "]")}` : ` ${tab} `,
  );
  const { first, last, above, below } = windowAround(
    shown.map((tab) => texts.widthOf(tab)),
    form.tab,
    columns,
  );
  const before = above ? paint("dim", "‹") : "";
  const after = below ? paint("dim", "›") : "";
  const free = columns - (above ? 1 : 0) - (below ? 1 : 0);
  return `${before}${texts.cut(shown.slice(first, last + 1).join(""), free)}${after}`.trimEnd();
}
