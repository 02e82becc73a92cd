import { type FormState, isChosen, type QuestionDraft, questionRows, type Row } from "@askwire/client/form";
import type { CoreOption, CoreQuestion } from "@askwire/protocol";
import { oneLine } from "../device/fitted-text.js";
import type { Drawing } from "./drawing.js";

/** A question with its draft, and the letters that choose its options. */
export interface ListContent {
  readonly question: CoreQuestion;
  readonly draft: QuestionDraft;
  readonly options: FormState["options"];
}

/** The parts of a question's rows, by position. */
export interface RowParts {
  readonly rows: readonly Row[];
  /** Set if rows have numbers. The only row of an open question has none. */
  readonly numbered: boolean;
  /** The mark of the current row, the number and the box, equally wide on all rows but the confirm row. */
  lead(index: number): string;
  /** The label of a row, with notes, and its choice. */
  label(index: number): string;
  /** The description in plain text; may be empty. */
  description(index: number): string;
}

/** The columns below which a row begins with its marks alone, and the columns of a label beside more. */
const LEAST_LEAD = 8;
const LEAST_LABEL = 6;

/** Makes the parts of all rows. The current row has a `❯`, and a colour where there are colours. */
export function rowParts({ question, draft, options }: ListContent, drawing: Drawing): RowParts {
  const { words, paint, texts, columns, ready } = drawing;
  const { shortcuts = {} } = options;
  const rows = questionRows(question, options);
  const numbered = question.options.length > 0;
  const digits = String(rows.length).length;
  const letters = new Map(ready ? Object.entries(shortcuts).map(([letter, at]) => [at, letter]) : []);
  const single = !question.multi_select;
  const coloured = (index: number, text: string) => (index === draft.row ? paint("cyan", text) : text);

  const lead = (index: number): string => {
    const row = rows[index] as Row;
    const checked = isChosen(question, draft, row);
    const isAct = row.is === "confirm" || row.is === "discuss";
    const boxed = !single && !isAct;
    const mark = coloured(index, index === draft.row ? "❯" : " ");
    if (columns < LEAST_LEAD) return `${mark}${boxed && columns > 1 ? (checked ? "✔" : "☐") : ""}`;
    if (isAct || !numbered) return `${mark} `;
    const box = boxed ? `${checked ? paint("green", "[✔]") : "[ ]"} ` : "";
    const full = `${mark} ${coloured(index, `${String(index + 1).padStart(digits)}. `)}${box}`;
    return texts.widthOf(full) + LEAST_LABEL <= columns ? full : `${mark} ${box}`;
  };

  const label = (index: number): string => {
    const row = rows[index] as Row;
    if (row.is === "confirm") return `${paint("green", "✔")} ${coloured(index, words.submit)}`;
    if (row.is === "own_text") return coloured(index, ownLabel(question, drawing));
    if (row.is === "discuss") return coloured(index, `… ${words.discuss}`);
    const option = question.options[row.index] as CoreOption;
    const letter = letters.get(row.index);
    const notes = [...optionNotes(option, question, drawing), ...(letter === undefined ? [] : [letter])];
    const noted = notes
      .map((note) => paint(note === words.recommended ? "green" : "dim", words.note(note)))
      .join("");
    const mark = single && isChosen(question, draft, row) ? ` ${paint("green", "✔")}` : "";
    return `${coloured(index, oneLine(option.label))}${noted}${mark}`;
  };

  const description = (index: number): string => {
    const row = rows[index] as Row;
    if (row.is === "confirm" || row.is === "discuss") return "";
    if (row.is === "own_text")
      return oneLine(question.other_description || words.told(question.placeholder ?? ""));
    return oneLine(question.options[row.index]?.description ?? "");
  };

  return { rows, numbered, lead, label, description };
}

/** A row's number between mark and label, if the label keeps enough room. */
export function numberThatFits(number: number, columns: number): string {
  const numbered = ` ${number}. `;
  if (1 + numbered.length + LEAST_LABEL <= columns) return numbered;
  return columns < LEAST_LEAD ? "" : " ";
}

/** The label of the own-text row. */
export const ownLabel = ({ other_label }: CoreQuestion, { words }: Pick<Drawing, "words">): string =>
  other_label === "" ? words.other : oneLine(other_label);

/** The notes behind an option's label. */
export const optionNotes = (
  { id, recommended }: CoreOption,
  question: CoreQuestion,
  { words }: Pick<Drawing, "words">,
): string[] => [
  ...(recommended ? [words.recommended] : []),
  ...(question.default?.includes(id) ? [words.default] : []),
];
