import type { TextField } from "@askwire/client/form";
import { caretAt, caretColumn, type DraftRow, rowOf } from "../prompt/draft-rows.js";
import type { Block, Drawing } from "./drawing.js";
import { textWindow } from "./text-window.js";

/** The surroundings of typed text. */
interface Around {
  /** The marks in front of the first line. */
  readonly lead: string;
  /** The name of the text, with its colon; may be empty. */
  readonly name: string;
  /** The invitation in an empty field, on one line. */
  readonly hint: string;
  /** Set if the caret is in the text. */
  readonly current: boolean;
}

/** The most lines of typed text, so that what it answers stays in sight. */
const MOST_LINES = 10;

/** The fewest columns of typed text next to its name. */
const LEAST_FIELD = 12;

/**
 * Typed text in at most so many lines: next to its name while it fits there on one line; else wrapped, below a name
 * that leaves it little room. Of a long text the rows around the caret are shown, with `…` on the sides with more.
 */
export function typedLines(field: TextField, around: Around, most: number, drawing: Drawing): Block {
  const { texts, columns, rowsOf } = drawing;
  const height = Math.min(most, MOST_LINES);
  const one = oneLine(field, around, drawing);
  const isShort = !field.text.includes("\n") && field.text.length <= 4 * columns;
  const free = columns - one.used;
  if (!around.current || height < 2 || (isShort && rowsOf(field.text, free - 1).length === 1))
    return one.block;
  const lead = texts.widthOf(around.lead);
  const isBeside = one.used <= columns / 3;
  const before = isBeside ? one.used : lead;
  const width = columns - before - 1;
  if (width < 2) return one.block;
  const rows = rowsOf(field.text, width);
  const name = isBeside ? [] : [around.lead + texts.cut(around.name, columns - lead)];
  const { lines, caret } = windowOf(rows, field, height - name.length);
  const indent = " ".repeat(before);
  const drawn = lines.map(({ shown, isCut }, at) => {
    const start = isBeside && at === 0 ? one.before : indent;
    return (isCut ? start.replace(/ $/, "…") : start) + shown;
  });
  return {
    lines: [...name, ...drawn],
    caret: { ...caret, row: name.length + caret.row, column: before + caret.column },
  };
}

/** The text on one line, beside its name, which is cut where the text has too little room. */
function oneLine(
  { text, caret }: TextField,
  { lead, name, hint, current }: Around,
  { paint, texts, columns, words }: Drawing,
): { block: Block; used: number; before: string } {
  const free = columns - texts.widthOf(lead);
  const forText = Math.max(LEAST_FIELD, Math.floor(free / 2));
  const room = free - forText;
  const shownName =
    texts.widthOf(name) <= room
      ? name
      : cutName(texts.cut(name, room - texts.widthOf(words.colon)), words.colon);
  const before = lead + shownName;
  const used = texts.widthOf(before);
  const at = (column: number) => (current ? { caret: { row: 0, column } } : {});
  if (used >= columns) return { block: { lines: [before], ...at(columns - 1) }, used, before };
  const shown = textWindow({ text, caret }, columns - used, texts);
  const line = text === "" ? paint("dim", texts.cut(hint, columns - used)) : shown.text;
  return { block: { lines: [before + line], ...at(used + shown.caret) }, used, before };
}

const cutName = (name: string, colon: string) => (name === "" ? "" : `${name}${colon}`);

/** The rows around the caret in so much room, with the caret among them. */
function windowOf(rows: readonly DraftRow[], { text, caret }: TextField, room: number) {
  const current = rowOf(rows, caret);
  const height = Math.max(1, Math.min(rows.length, room));
  const top = Math.max(0, Math.min(current - Math.floor(height / 2), rows.length - height));
  const column = caretColumn(text, rows[current] as DraftRow, caret);
  const beside = (by: number) => {
    const row = rows[current + by];
    return row === undefined ? undefined : caretAt(text, row, column);
  };
  const [above, below] = [beside(-1), beside(1)];
  const end = top + height;
  return {
    lines: rows.slice(top, end).map(({ shown }, index) => ({
      shown,
      isCut: (index === 0 && top > 0) || (index === height - 1 && end < rows.length),
    })),
    caret: {
      ...{ row: current - top, column },
      ...(above !== undefined && { above }),
      ...(below !== undefined && { below }),
    },
  };
}
