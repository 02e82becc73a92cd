import { firstLines, oneLine } from "../device/fitted-text.js";
import type { Block, Drawing } from "./drawing.js";
import { type ListContent, rowParts } from "./row-parts.js";
import { typedLines } from "./typed-lines.js";

/** The rows of a question, drawn at one width. */
export interface ListRows {
  readonly count: number;
  /** Set if no row is ever cut: the rows of an approval, whose words say what is approved. */
  readonly saysAll: boolean;
  /** A row beside the current one where not all fit: on one line, without the rest; whole where `saysAll` holds. */
  short(index: number, most: number): readonly string[];
  /** A whole row in hardly more lines than `room`, with the caret if that is there. */
  whole(index: number, room: number): Block;
}

/** The fewest columns of a long description beside a label; with fewer it stands below. */
const LEAST_BESIDE = 24;

/** The fewest columns of a cut description next to the text in front of it. */
const LEAST_FIELD = 12;

/** Draws the rows of a question: numbered, marked if chosen, with a `❯` before the current row (L-28). */
export function listRows(content: ListContent, drawing: Drawing): ListRows {
  const { question, draft } = content;
  const { words, paint, texts, columns } = drawing;
  const { rows, numbered, lead, label, description } = rowParts(content, drawing);

  // Descriptions have a column of their own if that is wide enough.
  const all = [...rows.keys()];
  const room = columns - texts.widthOf(lead(0));
  // The row that asks to talk first has no description, and leaves the width of the column to the others.
  const labels = all.filter((index) => rows[index]?.is !== "discuss");
  const widest = Math.max(0, ...labels.map((index) => texts.widthOf(texts.cut(label(index), room))));
  const beside = room - widest - 2;
  const fits = (text: string) => text.length <= beside && texts.widthOf(text) <= beside;
  const inColumns =
    (beside >= LEAST_BESIDE && widest <= room / 2) ||
    (beside > 0 && all.every((index) => fits(description(index))));

  const isField = (index: number) =>
    rows[index]?.is === "own_text" && (index === draft.row || draft.text.text.trim() !== "");

  /** The own-text row during and after typing: its text in at most so many lines, or an invitation to type. */
  const field = (index: number, most: number): Block => {
    const named = numbered || question.other_label !== "";
    const placeholder = words.told(question.placeholder ?? "");
    const hint = oneLine(placeholder || (named ? question.other_description : "") || words.typeHere);
    const current = index === draft.row;
    const caret = current ? draft.text.caret : 0;
    const name = named ? `${label(index)}${words.colon}` : "";
    const field = { text: draft.text.text, caret };
    return typedLines(field, { lead: lead(index), name, hint, current }, current ? most : 1, drawing);
  };

  const onOneLine = (index: number): string => {
    if (isField(index)) return field(index, 1).lines.join("");
    const start = lead(index);
    const text = texts.cut(label(index), columns - texts.widthOf(start));
    const more = description(index);
    const gap = inColumns ? Math.max(2, widest + 2 - texts.widthOf(text)) : 2;
    const left = columns - texts.widthOf(start) - texts.widthOf(text) - gap;
    if (more === "" || (left < LEAST_FIELD && texts.widthOf(more) > left)) return `${start}${text}`;
    return `${start}${text}${" ".repeat(gap)}${paint("dim", texts.cut(more, left))}`;
  };

  const whole = (index: number, most: number): Block => {
    if (isField(index)) return field(index, most);
    const start = lead(index);
    const indent = " ".repeat(Math.min(texts.widthOf(start), columns - 1));
    const name = label(index);
    const more = description(index);
    if (inColumns && more !== "") {
      const [head = "", ...rest] = firstLines(texts.wrapped(more, beside), most);
      const first = `${start}${name}${" ".repeat(widest + 2 - texts.widthOf(name))}${paint("dim", head)}`;
      const further = rest.map((text) => `${indent}${" ".repeat(widest + 2)}${paint("dim", text)}`);
      return { lines: [first, ...further] };
    }
    const free = columns - indent.length;
    const [head = "", ...rest] = firstLines(texts.wrapped(name, free), most);
    const below = more === "" ? [] : firstLines(texts.wrapped(more, free), most);
    const further = [...rest, ...below.map((text) => paint("dim", text))];
    return {
      lines: [
        `${start}${texts.cut(head, columns - texts.widthOf(start))}`,
        ...further.map((text) => `${indent}${text}`),
      ],
    };
  };

  const saysAll = content.options.enterOnly === true;
  const short = (index: number, most: number) =>
    saysAll && !isField(index) ? whole(index, most).lines : [onOneLine(index)];
  return { count: rows.length, saysAll, short, whole };
}
