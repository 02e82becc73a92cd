import { editField, type TextField } from "@askwire/client/form";

/** The motions of a draft's caret, except between rows, which depend on the terminal's width. */
export type Motion = "left" | "right" | "word_left" | "word_right" | "line_start" | "line_end";

/** The longest draft, in UTF-16 units. */
export const DRAFT_LENGTH = 512 * 1024;

/** A draft with a text at its caret; `cut` is true if the text did not fit whole. */
export const inserted = (draft: TextField, text: string): { field: TextField; cut: boolean } =>
  editField(draft, { type: "insert", text }, DRAFT_LENGTH);

/** The caret's position after a motion. */
export function caretAfter(draft: TextField, motion: Motion): number {
  const { text, caret } = draft;
  if (motion === "line_start") return text.slice(0, caret).lastIndexOf("\n") + 1;
  if (motion !== "line_end") return editField(draft, { type: "caret", to: motion }).field.caret;
  const end = text.indexOf("\n", caret);
  return end === -1 ? text.length : end;
}

/** A draft without the text that a motion passes, and that text. At the edge of a line the text is a line feed. */
export function killed(draft: TextField, motion: Motion): { field: TextField; text: string } {
  const { text, caret } = draft;
  const passed = caretAfter(draft, motion);
  const beside = motion === "line_start" ? "left" : motion === "line_end" ? "right" : motion;
  const to = passed === caret ? caretAfter(draft, beside) : passed;
  const [from, end] = to < caret ? [to, caret] : [caret, to];
  const left = { text: text.slice(0, from) + text.slice(end), caret: from };
  // Characters on both sides may have become one: the caret stands behind it.
  return { field: inserted(left, "").field, text: text.slice(from, end) };
}
