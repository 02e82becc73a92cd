import type { FormAction, QuestionDraft } from "@askwire/client/form";
import type { CoreQuestion } from "@askwire/protocol";
import { fieldInputs } from "@askwire/protocol/internal";
import type { ChangeEvent, InputHTMLAttributes, KeyboardEvent } from "react";
import { isComposing } from "./composing.js";

/** The props of the element that takes own words or a value: an input, or a text area where lines may be several. */
export interface WordsControl
  extends Pick<InputHTMLAttributes<HTMLInputElement>, "type" | "inputMode" | "step" | "autoComplete"> {
  readonly value: string;
  onChange(event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>): void;
  onKeyDown?(event: KeyboardEvent<HTMLInputElement | HTMLTextAreaElement>): void;
}

const inputOf = ({ field }: CoreQuestion) => field && fieldInputs[field.type];

/** True where the words are typed in one line, into an input of their type. */
export const isInput = (question: CoreQuestion): boolean => inputOf(question) !== undefined;

/** True for a text that the input of its type would not show. */
export function isShownAsText(question: CoreQuestion, { text: { text } }: QuestionDraft): boolean {
  const shows = inputOf(question)?.shows;
  return shows !== undefined && text !== "" && !shows.test(text);
}

/** The props for own words. Enter in an input confirms, as the button does; in a text area it begins a line. */
export function wordsControl(
  question: CoreQuestion,
  { text: { text } }: QuestionDraft,
  isTyped: boolean,
  act: (...actions: FormAction[]) => void,
): WordsControl {
  const set = (value: string, caret: number | null): FormAction => ({
    ...{ type: "set", text: value, caret: caret ?? value.length },
  });
  const input = inputOf(question);
  if (input === undefined) {
    return { value: text, onChange: ({ target }) => act(set(target.value, target.selectionStart)) };
  }
  const { shows: _, ...control } = input;
  return {
    ...(isTyped ? { type: "text" } : control),
    value: text,
    onChange: ({ target }) => act(set(target.value, null)),
    onKeyDown(event) {
      if (event.key !== "Enter" || isComposing(event)) return;
      event.preventDefault();
      event.stopPropagation();
      // Firefox gives a date the part that is being typed only when its box is left.
      const box = event.currentTarget;
      box.blur();
      box.focus();
      const { value } = box;
      act(...(value === text ? [] : [set(value, null)]), { type: "send" });
    },
  };
}
