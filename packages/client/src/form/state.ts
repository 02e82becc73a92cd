import type { AnswerItem, CoreQuestion } from "@askwire/protocol";
import { emptyField, type TextField } from "./text-field.js";

/** What a person has done about one question. The cursor and what is typed belong to it, not to the form. */
export interface QuestionDraft {
  /** Where the cursor is, in the rows of {@link rowsOf}. */
  readonly row: number;
  /** The option that the cursor was at before it went to another row: there Tab goes back to. Default: the first. */
  readonly optionRow?: number;
  /** The ids of what is chosen now, in the order of the options. */
  readonly chosen: readonly string[];
  /** What stands in the own-text row. It counts unless it is blank. */
  readonly text: TextField;
  /** What was confirmed last, and what alone is sent; undefined while nothing was. */
  readonly confirmed?: AnswerItem;
}

/** Why the form did not do what a key usually does, or what it waits for. The words are the user interface's. */
export type FormHint =
  /** Nothing is chosen and nothing typed: select at least one, or decline. */
  | { readonly why: "nothing_chosen" }
  /** The own-text row is blank. */
  | { readonly why: "blank_text" }
  /** Own text has its full length: the rest was not taken. */
  | { readonly why: "text_too_long" }
  /** Typed characters reached nothing: only options can be chosen here. Enter after them was not taken either. */
  | { readonly why: "no_words_here" }
  /** Enter came right behind a character that moved the cursor, or ended words that reached nothing: once more it counts. */
  | { readonly why: "enter_again" }
  /** Given answers or a draft would be lost: once more declines all, until {@link DECLINE_AGAIN_MS} have passed. */
  | { readonly why: "decline_again" }
  /** Not every question is answered: the positions of those that are not. */
  | { readonly why: "unanswered"; readonly questions: readonly number[] }
  /** The server refused the answer, for these reasons. */
  | { readonly why: "refused"; readonly messages: readonly string[] };

/** What the form came to. */
export type FormResult = { readonly items: readonly AnswerItem[] } | "declined";

export interface FormOptions {
  /** Whether Enter on an option of a multi-select toggles it, as Space does, instead of confirming. Default: false. */
  readonly enterToggles?: boolean;
  /** Nothing but Enter chooses, submits or cancels: digits move the cursor, a blank does nothing. Default: false. */
  readonly enterOnly?: boolean;
  /** Whether typing on an option goes to the own-text row. Default: true. */
  readonly typeAnywhere?: boolean;
  /**
   * Letters that move the cursor to the option at this position. Default: none. They come before `typeAnywhere`, and choose
   * nothing: a letter may be the beginning of words that were meant for something else.
   */
  readonly shortcuts?: Readonly<Record<string, number>>;
}

/** A question request as a person fills it in. Never changed: every action makes a new one. */
export interface FormState {
  readonly questions: readonly CoreQuestion[];
  readonly options: FormOptions;
  /** One for each question. */
  readonly drafts: readonly QuestionDraft[];
  /** The position of the question that is shown; `questions.length` is the page to review all. */
  readonly tab: number;
  /** The row of that page: 0 submits, 1 cancels. */
  readonly reviewRow: number;
  /** Whether all that there is to read is shown instead of the rows. */
  readonly reading: boolean;
  readonly hint?: FormHint;
  /** Until when a second Escape declines, in milliseconds of the clock that `escape` is given. */
  readonly declineUntil?: number;
  readonly result?: FormResult;
}

/** How long a second Escape may take, in milliseconds. */
export const DECLINE_AGAIN_MS = 2_000;

/** A row of a question, in the order of the screen: its options, own text, and what confirms several choices. */
export type Row =
  | { readonly is: "option"; readonly index: number }
  | { readonly is: "own_text" }
  | { readonly is: "confirm" };

/** How far a question is: `edited` is confirmed, and changed since. */
export type QuestionStatus = "open" | "answered" | "edited";

/**
 * A form in which nothing is chosen, on its first question. The cursor is on the first row of each, or on what counts by
 * default where one is to be chosen: Enter alone then says what silence would.
 */
export function questionForm(questions: readonly CoreQuestion[], options: FormOptions = {}): FormState {
  return {
    questions,
    options,
    drafts: questions.map((question) => ({ row: firstRow(question), chosen: [], text: emptyField })),
    tab: 0,
    reviewRow: 0,
    reading: false,
  };
}

const firstRow = ({ options, multi_select, default: [byDefault] = [] }: CoreQuestion): number =>
  multi_select
    ? 0
    : Math.max(
        0,
        options.findIndex(({ id }) => id === byDefault),
      );

/**
 * The rows of a question, one at least. An open question has the own-text row alone; a closed one has none of it. One
 * that is closed and has no options can only be declined: its row confirms nothing.
 */
export function rowsOf({ options, own_text, multi_select }: CoreQuestion): Row[] {
  const rows: Row[] = options.map((_option, index) => ({ is: "option", index }));
  if (own_text) rows.push({ is: "own_text" });
  if (rows.length === 0 || (multi_select && options.length > 0)) rows.push({ is: "confirm" });
  return rows;
}

/** Whether the form ends with a page to review all answers: only where there are several. */
export const hasReview = ({ questions }: FormState): boolean => questions.length > 1;

/** The question that is shown with what was done about it; undefined on the page to review. */
export function shownQuestion(
  state: FormState,
): { question: CoreQuestion; draft: QuestionDraft; row: Row } | undefined {
  const question = state.questions[state.tab];
  const draft = state.drafts[state.tab];
  if (question === undefined || draft === undefined) return undefined;
  const row = rowsOf(question)[draft.row];
  return row && { question, draft, row };
}

/**
 * What would be confirmed now; undefined while nothing is chosen and nothing but blanks typed. In a single choice own text
 * stands instead of the option.
 */
export function itemOf({ id, multi_select }: CoreQuestion, draft: QuestionDraft): AnswerItem | undefined {
  const { chosen, text } = draft;
  if (text.text.trim() === "") {
    return chosen.length === 0 ? undefined : { question_id: id, selected: [...chosen] };
  }
  return { question_id: id, selected: multi_select ? [...chosen] : [], own_text: text.text };
}

/** Whether a row would be confirmed now: an option that is chosen, own text that is not blank. */
export function isChosen(question: CoreQuestion, draft: QuestionDraft, row: Row): boolean {
  const item = itemOf(question, draft);
  if (row.is !== "option") return row.is === "own_text" && item?.own_text !== undefined;
  return item?.selected.includes(question.options[row.index]?.id as string) ?? false;
}

/** How far a question is: what was confirmed stays, whatever is chosen or typed after it (L-33). */
export function statusOf(question: CoreQuestion, draft: QuestionDraft): QuestionStatus {
  if (draft.confirmed === undefined) return "open";
  return sameItem(draft.confirmed, itemOf(question, draft)) ? "answered" : "edited";
}

/** The positions of the questions with this status. */
export const questionsWith = ({ questions, drafts }: FormState, status: QuestionStatus): number[] =>
  questions.flatMap((question, index) =>
    statusOf(question, drafts[index] as QuestionDraft) === status ? [index] : [],
  );

/** Whether leaving would lose anything: an answer that was confirmed, or a choice or text that was not yet. */
export const hasWork = ({ questions, drafts }: FormState): boolean =>
  drafts.some(
    (draft, index) =>
      draft.confirmed !== undefined || itemOf(questions[index] as CoreQuestion, draft) !== undefined,
  );

function sameItem(a: AnswerItem, b: AnswerItem | undefined): boolean {
  if (b === undefined || a.own_text !== b.own_text || a.selected.length !== b.selected.length) return false;
  return a.selected.every((id, index) => id === b.selected[index]);
}
