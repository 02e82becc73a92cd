import type { AnswerItem } from "@askwire/protocol";
import type { FieldEdit } from "./text-field.js";

/** An act of a person on a form. Every act fits every state; an act without meaning changes nothing but the hint. */
export type FormAction =
  /** Moves the cursor `by` rows down, or up if negative, and past the last row to the first, unless it `stops` there. */
  | { readonly type: "move"; readonly by: number; readonly stops?: boolean }
  /** Moves the cursor to this row. */
  | {
      readonly type: "focus";
      readonly row: number;
      /** Set for a key that names the row: where the cursor is there already, a hint says what confirms it. */
      readonly byName?: true;
    }
  /** Shows the tab `by` places to the right; the first follows the last only with `wrap`. */
  | { readonly type: "tab"; readonly by: number; readonly wrap: boolean }
  | { readonly type: "show"; readonly tab: number }
  /**
   * Moves the cursor to this row. An option of a single choice is chosen and confirmed; an option of several is
   * toggled.
   * Other rows do the same as `confirm`.
   */
  | { readonly type: "choose"; readonly row: number }
  /**
   * Moves the cursor to this row, and chooses an option of a single choice or toggles one of several, without
   * confirming. Own text is set aside by an option of a single choice, and brought back by its own row.
   */
  | { readonly type: "select"; readonly row: number }
  /**
   * Confirms what is chosen and typed, wherever the cursor is, and sends it with a single question; submits on the page
   * to review.
   */
  | { readonly type: "send" }
  /** Confirms the shown question as left out (P-XAN-3). Only for clients that say `skip`. */
  | { readonly type: "skip" }
  /** Opens a text next to the rows: a search in the options, or the note where `takesNotes` holds. Chooses nothing. */
  | { readonly type: "open_side"; readonly is: "search" | "note" }
  /** Changes the open search or note. A search moves the cursor to the first option that holds its words. */
  | { readonly type: "edit_side"; readonly edit: FieldEdit }
  /** Moves the cursor to the next option that holds the words of the search, or to the one before. */
  | { readonly type: "seek"; readonly by: -1 | 1 }
  /** Ends the search or the note. With `back` the cursor returns to the row before the search; a note stays. */
  | { readonly type: "close_side"; readonly back: boolean }
  /** Replaces the note on the answer to the shown question. Only for clients that say `notes`. */
  | { readonly type: "note"; readonly text: string }
  /** Replaces the pictures with the answer to the shown question. Only for clients that say `attachments`. */
  | { readonly type: "attach"; readonly attachments: NonNullable<AnswerItem["attachments"]> }
  /** Replaces the own text of the shown question, as a text area has it, and moves the cursor there. */
  | { readonly type: "set"; readonly text: string; readonly caret: number }
  /** Does the act of Enter on the row of the cursor. Cancel on the page to review is `escape` instead. */
  | { readonly type: "confirm" }
  /** Changes the own text of the shown question, and moves the cursor there. */
  | { readonly type: "edit"; readonly edit: FieldEdit }
  /** Brings back the own text that `escape` has cleared, behind what was typed since. */
  | { readonly type: "bring_back" }
  /** Shows the full text to read, or the rows again. */
  | { readonly type: "read"; readonly reading: boolean }
  /** Declines to talk first, with all that was typed. Only for clients whose server takes it. */
  | { readonly type: "discuss" }
  /** Shows the full text in the place of an answer that would allow what was never in sight, and says so. */
  | { readonly type: "unread" }
  /**
   * Leaves the full text, or clears the own text under the cursor, or declines.
   * Declining needs a second Escape within `DECLINE_AGAIN_MS` if something would be lost. `at` is the time in
   * milliseconds.
   */
  | { readonly type: "escape"; readonly at: number }
  /** Declines at once. */
  | { readonly type: "decline" }
  /** Passes time: a hint that waits for a second Escape goes away. */
  | { readonly type: "tick"; readonly at: number }
  /**
   * Reopens the form with its entries after the server refused the answer (P-XAN-4), at the first question named.
   * Named questions are open until they are confirmed once more.
   */
  | { readonly type: "refused"; readonly issues: readonly { question_id: string | null; message: string }[] };
