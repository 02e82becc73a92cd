import { type FormAction, type FormKey, type FormState, shownQuestion } from "@askwire/client/form";
import type { Clock } from "./clock.js";

/** How long a digit waits for what may follow it, in milliseconds. */
export const DIGIT_MS = 300;

export interface HeldDigit {
  /**
   * Takes a key with what it means, and gives what is to be done now: nothing at first for a digit that would answer a
   * question which also takes own words, as these may begin with it.
   */
  next(form: FormState, key: FormKey, action: FormAction | undefined): readonly FormAction[];
  /** Forgets a digit that is held. */
  drop(): void;
}

/**
 * Holds a digit that would answer at once: a character that follows it makes it the beginning of own words, Escape takes it
 * back, any other key confirms it and does no more, and after a moment it counts by itself.
 *
 * @param chosen told what the digit means when nothing follows.
 */
export function heldDigit(clock: Clock, chosen: (action: FormAction) => void): HeldDigit {
  let held: { readonly text: string; readonly action: FormAction } | undefined;
  let forget = () => {};

  function drop(): void {
    forget();
    held = undefined;
  }

  return {
    drop,
    next(form, key, action) {
      const digit = held;
      drop();
      if (digit !== undefined) {
        if ("text" in key) return [inserted(digit.text + key.text)];
        if ("paste" in key) return [inserted(digit.text + key.paste)];
        if ("key" in key && key.key === "escape") return [];
        return [digit.action];
      }
      if (action === undefined) return [];
      if (!("text" in key) || !answers(form, key.text, action)) return [action];
      held = { text: key.text, action };
      forget = clock.after(DIGIT_MS, () => {
        drop();
        chosen(action);
      });
      return [{ type: "focus", row: Number(key.text) - 1 }];
    },
  };
}

const inserted = (text: string): FormAction => ({ type: "edit", edit: { type: "insert", text } });

/** Whether a digit answers its question for good, and own words could be typed there. */
function answers(form: FormState, text: string, { type }: FormAction): boolean {
  const question = shownQuestion(form)?.question;
  if (question === undefined || question.multi_select || !question.own_text) return false;
  return /^[1-9]$/.test(text) && type === "choose" && form.options.typeAnywhere !== false;
}
