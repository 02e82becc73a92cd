"use client";

import { type FormState, hasReview, hasWork, isChosen, shownQuestion } from "@askwire/client/form";
import { card as english } from "@askwire/client/words/en";
import type { CoreQuestion } from "@askwire/protocol";
import { type HTMLAttributes, type RefObject, useId, useRef, useState } from "react";
import type { QuestionCardProps } from "./card-props.js";
import { hintText } from "./hint-text.js";
import { onQuestionKey } from "./question-keys.js";
import { useAnswer } from "./use-answer.js";
import { usePressGuard } from "./use-press-guard.js";
import { useRequestName } from "./use-request-name.js";
import { isInput, isShownAsText, type WordsControl, wordsControl } from "./words-control.js";

/** The props of a button. */
interface ButtonProps {
  readonly type: "button";
  readonly disabled: boolean;
  onClick(): void;
}

/** The props of the native input of an option: a radio button, or a check box of several choices. */
interface OptionProps {
  readonly type: "radio" | "checkbox";
  readonly id: string;
  readonly name: string;
  readonly checked: boolean;
  readonly disabled: boolean;
  readonly "data-askwire-row": number;
  onChange(): void;
}

/** A question as own markup draws it: what is shown, and the props of its elements. */
export interface QuestionForm {
  /** The form with the work on all questions. */
  readonly form: FormState;
  /** The question that is shown; undefined at the end of several, where the answers are reviewed. */
  readonly question: CoreQuestion | undefined;
  /** The reason why the last press did nothing, or why the server refused the answer. Empty without a reason. */
  readonly hint: string;
  /** True once nothing more can be answered: the answer is on its way, or the request is settled. */
  readonly isClosed: boolean;
  /** True where `send` goes on to the next part of several, and sends nothing yet. */
  readonly goesOn: boolean;
  /** True where declining would lose work, so that a page asks once more. */
  readonly hasWork: boolean;
  /** The props of the element around all controls: keys, and the guard against presses that were meant elsewhere. */
  readonly box: HTMLAttributes<HTMLElement> & { readonly ref: RefObject<never> };
  /** The props of the input of an option of the shown question, by its position. */
  option(index: number): OptionProps;
  /** The props of an input, or of a text area where `isLine` is false. Undefined where no own words are taken. */
  readonly ownWords: (WordsControl & { readonly id: string; readonly disabled: boolean }) | undefined;
  /** True where own words are one line: a value of a type, for an input. */
  readonly isLine: boolean;
  /** The props of the button that sends, or goes on. */
  readonly send: ButtonProps;
  /** The props of the button that declines all. */
  readonly decline: ButtonProps;
  /** Shows another part, by its position; `questions.length` is the review. */
  show(tab: number): void;
}

/**
 * The state of a question for own markup, with everything that `QuestionCard` does but draw: choices, own words, values
 * of a type, several questions, refusals, kept work, keys, and presses that were meant for something else. The component
 * that calls it has `key={one.id}`, so that other words under the same id begin anew.
 *
 * @param props those of a `QuestionCard`, as `openRequests` gives them.
 */
export function useQuestionForm(props: QuestionCardProps): QuestionForm {
  const id = useId();
  const box = useRef<HTMLElement>(null);
  const answer = useAnswer({ ...props, isAnswered: false });
  const { form, isClosed, act } = answer;
  const [typed] = useState(() =>
    form.questions.map((question, at) => isShownAsText(question, form.drafts[at] as never)),
  );
  const { words = english } = props;
  const presses = usePressGuard(box, form.tab);
  const name = useRequestName(props.request);
  const shown = shownQuestion(form);
  const part = `${id}${form.tab}`;
  const button = (onClick: () => void): ButtonProps => ({ type: "button", disabled: isClosed, onClick });

  return {
    ...{ form, isClosed, question: shown?.question },
    hint: presses.isTold ? words.pressedEarly : (hintText(form, words) ?? ""),
    goesOn: hasReview(form) && shown !== undefined,
    hasWork: hasWork(form),
    box: {
      ...presses.listeners,
      ref: box as RefObject<never>,
      ...{ "data-askwire-request": name, "data-askwire-page": "" },
      ...(presses.isEarly && { "aria-disabled": true }),
      onPointerDown: () => void (presses.isEarly || answer.begin()),
      onKeyDown(event) {
        answer.begin();
        onQuestionKey(event, act);
      },
    },
    option(index) {
      const isSeveral = shown?.question.multi_select === true;
      return {
        type: isSeveral ? "checkbox" : "radio",
        ...{ id: `${part}o${index}`, name: `${part}n`, disabled: isClosed, "data-askwire-row": index },
        checked: shown !== undefined && isChosen(shown.question, shown.draft, { is: "option", index }),
        onChange: () => act({ type: "select", row: index }),
      };
    },
    isLine: shown !== undefined && isInput(shown.question),
    ownWords:
      shown?.question.own_text === true
        ? {
            ...wordsControl(shown.question, shown.draft, typed[form.tab] === true, act),
            ...{ id: `${part}w`, disabled: isClosed },
          }
        : undefined,
    send: button(() => act({ type: "send" })),
    decline: button(() => act({ type: "decline" })),
    show: answer.show,
  };
}
