import type { CoreOption } from "@askwire/protocol";
import { type FormState, type SideField, shownQuestion } from "./state.js";
import { editField, emptyField, type FieldEdit } from "./text-field.js";

/** The options that hold the words of the open search, as rows from the first. Empty without a search, or without words. */
export function foundRows(state: FormState): readonly number[] {
  const { side } = state;
  const options = shownQuestion(state)?.question.options ?? [];
  const wanted = side?.is === "search" ? folded(side.field.text.trim()) : "";
  if (wanted === "") return [];
  return options.flatMap((option, row) => (textOf(option).includes(wanted) ? [row] : []));
}

const textOf = ({ label, description }: CoreOption) => folded(`${label}\n${description}`);

/** A text without the differences that a search ignores: case, and compatible forms such as full width. */
const folded = (text: string) => text.normalize("NFKC").toLowerCase();

/** The form with this text open next to the rows. Nothing is chosen by it. */
export function opened(state: FormState, is: SideField["is"]): FormState {
  const here = shownQuestion(state);
  if (here === undefined) return state;
  if (is === "search")
    return here.question.options.length < 2
      ? state
      : { ...state, side: { is, field: emptyField, back: here.draft.row } };
  if (!state.options.takesNotes) return state;
  const text = here.draft.note ?? "";
  return { ...state, side: { is, field: { text, caret: text.length } } };
}

/** The form without an open search or note. */
export function closed(state: FormState): FormState {
  const { side: _side, ...rest } = state;
  return rest;
}

/** The side field after an edit, and whether the text was cut. */
export function editedSide(side: SideField, edit: FieldEdit): { side: SideField; cut: boolean } {
  const { field, cut } = editField(side.field, edit);
  return { side: { ...side, field }, cut };
}

/** The found row after this one, or before it; at or after it with `by` 0; around the ends. Undefined if nothing is found. */
export function soughtRow(state: FormState, from: number, by: -1 | 0 | 1): number | undefined {
  const rows = foundRows(state);
  if (by < 0) return rows.findLast((row) => row < from) ?? rows.at(-1);
  return rows.find((row) => (by === 0 ? row >= from : row > from)) ?? rows[0];
}
