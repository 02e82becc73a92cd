import type { FormAction } from "./actions.js";
import { type Column, type CursorPlace, type keyNames, keyTable, shortcutOf } from "./key-table.js";
import { type FormState, questionRows, shownQuestion } from "./state.js";

/**
 * A pressed key: its name, the character that it types (a blank too), or a pasted text.
 * Keys with `composing`, which an input method takes, mean nothing here.
 */
export type FormKey =
  | { readonly key: (typeof keyNames)[number]; readonly composing?: boolean }
  | { readonly text: string; readonly composing?: boolean }
  | { readonly paste: string };

/**
 * The meaning of a key in this state; undefined for none. `at` is the time in milliseconds, of any monotonic
 * clock.
 */
export function formAction(state: FormState, key: FormKey, at: number): FormAction | undefined {
  if (state.result !== undefined || ("composing" in key && key.composing)) return undefined;
  const place = cursorPlace(state);
  const text = "paste" in key ? key.paste : "text" in key ? key.text : "";
  return keyTable[place][keyColumn(state, place, key)]?.(state, { text, at });
}

/** The place of the cursor. */
export function cursorPlace(state: FormState): CursorPlace {
  if (state.reading) return "P";
  if (state.side !== undefined) return state.side.is === "search" ? "S" : "N";
  const shown = shownQuestion(state);
  if (shown === undefined) return "R";
  const { row, question } = shown;
  if (row.is === "confirm") return "B";
  if (row.is === "discuss") return "D";
  const kind = row.is === "option" ? "O" : "T";
  return `${kind}${question.multi_select ? 2 : 1}`;
}

/** The line of the key table for a key. */
export function keyColumn(state: FormState, place: CursorPlace, key: FormKey): Column {
  if ("key" in key) return key.key;
  if ("paste" in key) return "paste";
  const takesShortcuts = place === "O1" || place === "O2" || place === "B" || place === "D";
  if (takesShortcuts && shortcutOf(state, key.text) !== undefined) return "shortcut";
  if (key.text === " ") return "space";
  return /^[1-9]$/.test(key.text) && isRow(state, Number(key.text)) ? "digit" : "text";
}

/** True for the number of a row. Another number is the beginning of words. */
function isRow(state: FormState, number: number): boolean {
  const shown = shownQuestion(state);
  return number <= (shown === undefined ? 2 : questionRows(shown.question, state.options).length);
}
