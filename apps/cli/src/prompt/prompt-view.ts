import type { TextField } from "@askwire/client/form";
import { widthOf, wrapped } from "../device/fitted-text.js";
import type { Frame } from "../device/loan.js";
import { caretAt, caretColumn, type DraftRow, draftRows, type LabelOf, rowOf } from "./draft-rows.js";

/** Draws a draft behind its prompt, with a window on a draft taller than its room. */
export interface PromptView {
  draw(
    prompt: string,
    draft: TextField,
    size: { columns: number; room: number },
  ): Frame & Required<Pick<Frame, "caret">>;
  /** The caret's position in the row above or below, at the width drawn last; undefined at either end. */
  vertical(draft: TextField, by: -1 | 1): number | undefined;
}

/** The fewest columns of a draft beside its prompt. */
const LEAST_BESIDE = 4;
/** The fewest columns of a prompt with words, which stands above a draft that does not fit next to it. */
const SAYS_SOMETHING = 8;

/** @param labelOf what is shown for characters that stand for another text. Default: no character does. */
export function promptView(labelOf: LabelOf = () => undefined): PromptView {
  const rowsOf = draftRows(labelOf);
  let width = 78;
  let top = 0;

  return {
    draw(prompt, { text, caret }, { columns, room }) {
      const wide = widthOf(prompt);
      const isBeside = wide <= columns / 2 && columns - wide > LEAST_BESIDE;
      const above = isBeside || wide < SAYS_SOMETHING ? [] : [...wrapped(prompt.trimEnd(), columns)];
      const lead = isBeside ? wide : 0;
      // The caret behind a full row has its own column.
      width = Math.max(1, columns - lead - 1);
      const rows = rowsOf(text, width);
      const current = rowOf(rows, caret);
      const height = Math.max(1, Math.min(rows.length, room - above.length));
      top = Math.max(current - height + 1, Math.min(top, current, rows.length - height), 0);
      const end = top + height;
      const more = lead === 0 ? "" : `…${" ".repeat(lead - 1)}`;
      const lines = rows.slice(top, end).map(({ shown }, index) => {
        const row = top + index;
        if (row === 0) return (isBeside ? prompt : "") + shown;
        const isCut = (row === top && top > 0) || (row === end - 1 && end < rows.length);
        return (isCut ? more : " ".repeat(lead)) + shown;
      });
      const shownAbove = above.slice(0, Math.max(0, room - height));
      const column = lead + caretColumn(text, rows[current] as DraftRow, caret, labelOf);
      return { lines: [...shownAbove, ...lines], caret: { row: shownAbove.length + current - top, column } };
    },
    vertical({ text, caret }, by) {
      const rows = rowsOf(text, width);
      const current = rowOf(rows, caret);
      const other = rows[current + by];
      const column = caretColumn(text, rows[current] as DraftRow, caret, labelOf);
      return other && caretAt(text, other, column, labelOf);
    },
  };
}
