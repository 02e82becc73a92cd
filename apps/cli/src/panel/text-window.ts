import type { TextField } from "@askwire/client/form";
import { visibleText } from "@askwire/client/text";
import type { MeasuredTexts } from "../device/measured-texts.js";
import { segmentsOf } from "../device/segments-of.js";

/** The visible part of a field on one line, with the column of its caret. */
export interface TextWindow {
  readonly text: string;
  readonly caret: number;
}

/** The UTF-16 units read on each side of the caret, for each column. */
const UNITS_A_COLUMN = 4;

/**
 * A field that many columns wide, with a column for a caret at its end.
 * If not all fits, the part around the caret is shown, with `…` on the sides with more. Line feeds are `⏎`, tabs
 * blanks.
 */
export function textWindow({ text, caret }: TextField, columns: number, texts: MeasuredTexts): TextWindow {
  const room = Math.max(1, columns);
  const reach = UNITS_A_COLUMN * room + 64;
  const start = Math.max(0, caret - reach);
  const before = characters(text.slice(start, caret), text.slice(0, start));
  const after = characters(text.slice(caret, caret + reach), text.slice(0, caret));
  if (caret > reach) before.shift();
  if (caret + reach < text.length) after.pop();
  const widthBefore = texts.widthOf(before.join(""));
  const widthAfter = texts.widthOf(after.join(""));
  const whole = caret <= reach && caret + reach >= text.length;
  if (whole && widthBefore + Math.max(1, widthAfter) <= room)
    return { text: [...before, ...after].join(""), caret: widthBefore };

  // A quarter stays for the text behind the caret, and a column for the caret.
  const shown = room - 1 - Math.min(widthAfter, Math.floor(room / 4));
  const left = lastFitting(before, caret > reach ? Number.POSITIVE_INFINITY : widthBefore, shown, texts);
  const right = firstFitting(after, room - left.width, caret + reach < text.length, texts);
  return { text: left.text + right, caret: left.width };
}

/** The visible characters of a text. Caret positions lie between characters, so both sides can be read apart. */
function characters(text: string, before: string): string[] {
  const seen = visibleText(text, before).replaceAll("\n", "⏎").replaceAll("\t", " ");
  return Array.from(segmentsOf(seen), ({ segment }) => segment);
}

function lastFitting(
  cells: readonly string[],
  whole: number,
  room: number,
  texts: MeasuredTexts,
): { text: string; width: number } {
  if (whole <= room) return { text: cells.join(""), width: whole };
  if (room < 1) return { text: "", width: 0 };
  let width = 1;
  let text = "";
  for (const cell of cells.toReversed()) {
    const next = texts.widthOf(cell);
    if (width + next > room) break;
    width += next;
    text = cell + text;
  }
  return { text: `…${text}`, width };
}

function firstFitting(cells: readonly string[], room: number, more: boolean, texts: MeasuredTexts): string {
  const all = cells.join("");
  if (!more && texts.widthOf(all) <= room) return all;
  let width = 1;
  let text = "";
  for (const cell of cells) {
    const next = texts.widthOf(cell);
    if (width + next > room) break;
    width += next;
    text += cell;
  }
  return room < 1 ? "" : `${text}…`;
}
