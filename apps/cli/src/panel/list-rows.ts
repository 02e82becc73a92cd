import { firstLines, oneLine } from "../device/fitted-text.js";
import type { Drawing } from "./drawing.js";
import { type ListContent, rowParts } from "./row-parts.js";
import { textWindow } from "./text-window.js";

/** The rows of a question, drawn at one width. */
export interface ListRows {
  readonly count: number;
  /** A row on one line, without the rest. */
  short(index: number): string;
  /** A whole row in hardly more lines than `room`, with the caret's column in the first line if the caret is there. */
  whole(index: number, room: number): RowLines;
}

interface RowLines {
  readonly lines: readonly string[];
  readonly caret?: number;
}

/** The fewest columns of a long description beside a label; with fewer it stands below. */
const LEAST_BESIDE = 24;

/** The fewest columns of typed text, or of a cut description, next to the text in front of it. */
const LEAST_FIELD = 12;

/** Draws the rows of a question: numbered, marked if chosen, with a `❯` before the current row (L-28). */
export function listRows(content: ListContent, drawing: Drawing): ListRows {
  const { question, draft } = content;
  const { words, paint, texts, columns } = drawing;
  const { rows, numbered, lead, label, description } = rowParts(content, drawing);

  // Descriptions have a column of their own if that is wide enough.
  const all = [...rows.keys()];
  const room = columns - texts.widthOf(lead(0));
  const widest = Math.max(...all.map((index) => texts.widthOf(texts.cut(label(index), room))));
  const beside = room - widest - 2;
  const fits = (text: string) => text.length <= beside && texts.widthOf(text) <= beside;
  const inColumns =
    (beside >= LEAST_BESIDE && widest <= room / 2) ||
    (beside > 0 && all.every((index) => fits(description(index))));

  const isField = (index: number) =>
    rows[index]?.is === "own_text" && (index === draft.row || draft.text.text.trim() !== "");

  /** The own-text row during and after typing: its text, or an invitation to type. */
  const field = (index: number): RowLines => {
    const current = index === draft.row;
    const start = lead(index);
    const free = columns - texts.widthOf(start);
    const named = numbered || question.other_label !== "";
    const forText = Math.max(LEAST_FIELD, Math.floor(free / 2));
    const name = named ? texts.cut(label(index), free - forText - texts.widthOf(words.colon)) : "";
    const before = name === "" ? start : `${start}${name}${words.colon}`;
    const used = texts.widthOf(before);
    if (used >= columns) return current ? { lines: [before], caret: columns - 1 } : { lines: [before] };
    const { text, caret } = textWindow(
      current ? draft.text : { ...draft.text, caret: 0 },
      columns - used,
      texts,
    );
    const placeholder = words.told(question.placeholder ?? "");
    const hint = oneLine(placeholder || (named ? question.other_description : "") || words.typeHere);
    const shown = draft.text.text === "" ? paint("dim", texts.cut(hint, columns - used)) : text;
    return current ? { lines: [before + shown], caret: used + caret } : { lines: [before + shown] };
  };

  const short = (index: number): string => {
    if (isField(index)) return field(index).lines.join("");
    const start = lead(index);
    const text = texts.cut(label(index), columns - texts.widthOf(start));
    const more = description(index);
    const gap = inColumns ? Math.max(2, widest + 2 - texts.widthOf(text)) : 2;
    const left = columns - texts.widthOf(start) - texts.widthOf(text) - gap;
    if (more === "" || (left < LEAST_FIELD && texts.widthOf(more) > left)) return `${start}${text}`;
    return `${start}${text}${" ".repeat(gap)}${paint("dim", texts.cut(more, left))}`;
  };

  const whole = (index: number, most: number): RowLines => {
    if (isField(index)) return field(index);
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

  return { count: rows.length, short, whole };
}
