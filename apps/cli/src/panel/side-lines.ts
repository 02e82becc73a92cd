import { type FormState, foundRows, type QuestionDraft } from "@askwire/client/form";
import { oneLine } from "../device/fitted-text.js";
import type { Block, Drawing } from "./drawing.js";
import { typedLines } from "./typed-lines.js";

/** The most lines of an open note. */
const MOST_LINES = 4;

/** The open search or note with its caret; else the note as it stands, on one line. */
export function sideBlock(
  { side, ...form }: FormState,
  { note = "" }: QuestionDraft,
  drawing: Drawing,
): Block {
  const { words, paint, texts, columns } = drawing;
  if (side === undefined) {
    if (note.trim() === "") return { lines: [] };
    return { lines: [paint("dim", texts.cut(`${words.noteName}${words.colon}${oneLine(note)}`, columns))] };
  }
  if (side.is === "note") {
    const around = { lead: "", name: `${words.noteName}${words.colon}`, hint: words.noteHint, current: true };
    return typedLines(side.field, around, MOST_LINES, drawing);
  }
  const found = foundRows({ ...form, side });
  const at = found.indexOf(form.drafts[form.tab]?.row ?? -1) + 1;
  const count = side.field.text.trim() === "" ? "" : words.found(at, found.length);
  const around = {
    lead: "",
    name: `${words.searchName}${words.colon}`,
    hint: words.searchHint,
    current: true,
  };
  const room = columns - (count === "" ? 0 : texts.widthOf(count) + 2);
  if (count === "" || room < columns / 2) return typedLines(side.field, around, 1, drawing);
  const block = typedLines(side.field, around, 1, { ...drawing, columns: room });
  const [line = ""] = block.lines;
  return { ...block, lines: [`${texts.filled(line, room)}  ${paint("dim", count)}`] };
}
