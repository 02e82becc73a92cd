import type { FieldEdit } from "./text-field.js";

/** What a person does to a form. All take any state: what means nothing there changes nothing but the hint. */
export type FormAction =
  /** The cursor goes so many rows down, or up where negative, and on at the other end. */
  | { readonly type: "move"; readonly by: number }
  /** The cursor goes to this row of what is shown. */
  | { readonly type: "focus"; readonly row: number }
  /** The tab so many to the right; beyond the last the first comes only where `wrap` is set. */
  | { readonly type: "tab"; readonly by: number; readonly wrap: boolean }
  | { readonly type: "show"; readonly tab: number }
  /**
   * The cursor goes to this row, and an option of a single choice is chosen and confirmed, one of several toggled; on
   * other rows it does what `confirm` does.
   */
  | { readonly type: "choose"; readonly row: number }
  /** What Enter means on the row of the cursor. On Cancel of the page to review all that is `escape`, and not this. */
  | { readonly type: "confirm" }
  /** Changes the own text of the question that is shown, and moves the cursor there. */
  | { readonly type: "edit"; readonly edit: FieldEdit }
  /** Shows all that there is to read, or the rows again. */
  | { readonly type: "read"; readonly reading: boolean }
  /**
   * Leaves what is read; clears the own text under the cursor; else declines, where something would be lost only the
   * second time within `DECLINE_AGAIN_MS`. `at` is the time in milliseconds.
   */
  | { readonly type: "escape"; readonly at: number }
  /** Declines at once. */
  | { readonly type: "decline" }
  /** Time has passed: a hint that waits for a second Escape goes away. */
  | { readonly type: "tick"; readonly at: number }
  /**
   * The server refused what was sent (P-XAN-4): the form is open again at the first question that it names, with all that
   * was in it. Those that it names count as open until they are confirmed once more.
   */
  | { readonly type: "refused"; readonly issues: readonly { question_id: string | null; message: string }[] };
