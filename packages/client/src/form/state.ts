import type { AnswerItem, CoreQuestion } from "@askwire/protocol";
import { prefillOf, readField } from "@askwire/protocol/fields";
import { emptyField, type TextField } from "./text-field.js";

/** A person's work on one question. Cursor and text belong to the question, not to the form. */
export interface QuestionDraft {
  /** The row of the cursor in {@link questionRows}. */
  readonly row: number;
  /** The option that the cursor left for another row, where Tab returns to. Default: the first. */
  readonly optionRow?: number;
  /** The ids of the chosen options, in the order of the options. */
  readonly chosen: readonly string[];
  /** The text in the own-text row. Blank text does not count. */
  readonly text: TextField;
  /** The own text that Escape has cleared, to be brought back. */
  readonly cleared?: string;
  /** Set while an option counts in the place of own text, which stays to come back to. */
  readonly isTextAside?: boolean;
  /** The words next to the answer. Blank words do not count. */
  readonly note?: string;
  /** The pictures with the answer, which are no answer by themselves (P-XAN-6). */
  readonly attachments?: NonNullable<AnswerItem["attachments"]>;
  /** Set while the question is left out, whatever was chosen before. */
  readonly isSkipped?: boolean;
  /** The answer confirmed last, and the only one sent. Undefined before that. */
  readonly confirmed?: AnswerItem;
}

/** The reason why a key did nothing, or the key that the form waits for. The user interface has the words. */
export type FormHint =
  /** The person chose and typed nothing: select at least one, or decline. */
  | { readonly why: "nothing_chosen" }
  /** The own-text row is blank. */
  | { readonly why: "blank_text" }
  /** The text is no value of the field: of another type, or out of its bounds. */
  | { readonly why: "no_value"; readonly problem: "type" | "bounds" }
  /** The question wants more choices, or fewer, as its `min` and `max` say. */
  | { readonly why: "too_few" }
  | { readonly why: "too_many" }
  /** Own text has its full length, and the rest was not taken. */
  | { readonly why: "text_too_long" }
  /** Typed characters reached nothing, since only options can be chosen here. Enter after them was not taken either. */
  | { readonly why: "no_words_here" }
  /** Enter came right behind a character that moved the cursor, or behind lost words. A second Enter counts. */
  | { readonly why: "enter_again" }
  /** A key named the row on which the cursor is already: Enter confirms it. */
  | { readonly why: "enter_confirms" }
  /** An answer would have allowed what was not in sight whole. The full text is shown; the next such answer counts. */
  | { readonly why: "unread" }
  /** Escape has cleared the own text, which `bring_back` brings back. */
  | { readonly why: "cleared" }
  /** Given answers or a draft would be lost. A second Escape within {@link DECLINE_AGAIN_MS} declines all. */
  | { readonly why: "decline_again" }
  /** Every question is left out: at least one wants an answer, or decline. */
  | { readonly why: "all_skipped" }
  /** Some questions are not answered; their positions. */
  | { readonly why: "unanswered"; readonly questions: readonly number[] }
  /** The server refused the answer; its reasons. */
  | { readonly why: "refused"; readonly messages: readonly string[] };

/** The result of the form. With `discuss` the person wants to talk first; `note` has all that they typed, if anything. */
export type FormResult =
  | { readonly items: readonly AnswerItem[] }
  | { readonly declined: "discuss"; readonly note?: string }
  | "declined";

/** A text next to the rows, which has the keys while it is open. */
export type SideField =
  /** The words to look for in the options. `back` is the row of the cursor before the search. */
  | { readonly is: "search"; readonly field: TextField; readonly back: number }
  /** The note on the answer to the shown question. */
  | { readonly is: "note"; readonly field: TextField };

export interface FormOptions {
  /** Enter on an option of a multi-select toggles the option, as Space does, instead of confirming. Default: false. */
  readonly enterToggles?: boolean;
  /**
   * Only Enter chooses, also one of several: digits move the cursor and a blank does nothing, as they do at a single
   * choice. Default: false.
   */
  readonly enterOnly?: boolean;
  /** The key `leave_out` leaves a question out, as client and server that both say `skip` may. Default: false. */
  readonly leavesOut?: boolean;
  /** The key `note` opens a note next to the answer, as client and server that both say `notes` may. Default: false. */
  readonly takesNotes?: boolean;
  /** The last row of each question asks to talk first instead, with all that was typed. Default: false. */
  readonly discusses?: boolean;
  /** Typing on an option goes to the own-text row. Default: true. */
  readonly typeAnywhere?: boolean;
  /**
   * Letters that move the cursor to the option at this position, before `typeAnywhere` counts. Default: none.
   * Letters choose nothing, since a letter may begin words meant for another place.
   */
  readonly shortcuts?: Readonly<Record<string, number>>;
}

/** A question request that a person fills in. Never changed: every action makes a new object. */
export interface FormState {
  readonly questions: readonly CoreQuestion[];
  readonly options: FormOptions;
  /** The drafts, in the order of the questions. */
  readonly drafts: readonly QuestionDraft[];
  /** The position of the shown question; `questions.length` is the page to review all. */
  readonly tab: number;
  /** The row of the page to review: 0 submits, 1 cancels. */
  readonly reviewRow: number;
  /** Set while the full text is shown instead of the rows. */
  readonly reading: boolean;
  /** The open search or note of the shown question. Undefined while the rows have the keys. */
  readonly side?: SideField;
  /** Set once the full text was shown. */
  readonly wasRead?: true;
  readonly hint?: FormHint;
  /** The end of the time in which a second Escape declines, in milliseconds of the clock of `escape`. */
  readonly declineUntil?: number;
  readonly result?: FormResult;
}

/** The time for a second Escape, in milliseconds. */
export const DECLINE_AGAIN_MS = 2_000;

/**
 * A row of a question, in the order of the screen: options, own text, the row that confirms several choices, and the
 * row that asks to talk first.
 */
export type Row =
  | { readonly is: "option"; readonly index: number }
  | { readonly is: "own_text" }
  | { readonly is: "confirm" }
  | { readonly is: "discuss" };

/** The progress of a question. `edited` is confirmed, and changed since. */
export type QuestionStatus = "open" | "answered" | "edited";

/**
 * A form on its first question, with nothing chosen, and in each field its prefill (P-XFL-6).
 * The cursor is on the first row of each question, or on the default of a single choice. Enter alone then says the
 * same as silence. Of a boolean with a prefill the cursor is on that option.
 */
export function questionForm(questions: readonly CoreQuestion[], options: FormOptions = {}): FormState {
  return {
    questions,
    options,
    drafts: questions.map((question) => ({ row: firstRow(question), chosen: [], text: firstText(question) })),
    tab: 0,
    reviewRow: 0,
    reading: false,
  };
}

function firstRow({ options, multi_select, field, default: [byDefault] = [] }: CoreQuestion): number {
  if (multi_select) return 0;
  const prefilled = prefillOf(field);
  const row = (wanted: string | undefined) => options.findIndex(({ id }) => id === wanted);
  return Math.max(0, prefilled === undefined ? row(byDefault) : row(prefilled));
}

function firstText({ field, own_text }: CoreQuestion): TextField {
  const text = own_text ? (prefillOf(field) ?? "") : "";
  return text === "" ? emptyField : { text, caret: text.length };
}

/**
 * The rows of a question, at least one. An open question has the own-text row alone, a closed question has none.
 * A closed question without options can only be declined: its row confirms nothing.
 *
 * @param options of the form: `discusses` adds the row that asks to talk first.
 */
export function questionRows(
  { options, own_text, multi_select }: CoreQuestion,
  { discusses = false }: FormOptions = {},
): Row[] {
  const rows: Row[] = options.map((_option, index) => ({ is: "option", index }));
  if (own_text) rows.push({ is: "own_text" });
  if (rows.length === 0 || (multi_select && options.length > 0)) rows.push({ is: "confirm" });
  if (discusses) rows.push({ is: "discuss" });
  return rows;
}

/** Reports if the form ends with a page to review all answers: only for several questions. */
export const hasReview = ({ questions }: FormState): boolean => questions.length > 1;

/** Reports if the shown question may be left out: an optional field, or a choice among other questions (P-XFL-5). */
export function mayLeaveOut(state: FormState): boolean {
  const question = state.questions[state.tab];
  if (question === undefined) return false;
  return question.field === undefined ? hasReview(state) : question.field.required === false;
}

/** The shown question with its draft. Undefined on the page to review. */
export function shownQuestion(
  state: FormState,
): { question: CoreQuestion; draft: QuestionDraft; row: Row } | undefined {
  const question = state.questions[state.tab];
  const draft = state.drafts[state.tab];
  if (question === undefined || draft === undefined) return undefined;
  const row = questionRows(question, state.options)[draft.row];
  return row && { question, draft, row };
}

/**
 * The answer that Enter would confirm now. Undefined without a choice or text that is not blank, and for a text that is
 * no value of its field.
 * In a single choice own text replaces the option. A field has its value as own text in canonical form (P-XFL-3), and
 * is skipped if it may be left empty and is. A note goes with whatever it stands next to, also with a question left
 * out.
 */
export function itemOf(question: CoreQuestion, draft: QuestionDraft): AnswerItem | undefined {
  const item = draft.isSkipped ? leftOut(question) : answerOf(question, draft);
  if (item === undefined) return undefined;
  const { note = "", attachments = [] } = draft;
  return {
    ...item,
    ...(note.trim() !== "" && { note }),
    ...(attachments.length > 0 && item.skipped !== true && { attachments }),
  };
}

const leftOut = ({ id }: CoreQuestion): AnswerItem => ({ question_id: id, selected: [], skipped: true });

function answerOf(question: CoreQuestion, draft: QuestionDraft): AnswerItem | undefined {
  const { id, multi_select, field } = question;
  const { chosen, attachments = [] } = draft;
  const text = draft.isTextAside ? emptyField : draft.text;
  if (field !== undefined) {
    const said = chosen[0] ?? text.text;
    if (said.trim() === "") {
      if (field.required !== false) return undefined;
      // Pictures are an answer, which a question left out has none of (P-XFL-5).
      return attachments.length === 0 ? leftOut(question) : { question_id: id, selected: [], own_text: "" };
    }
    const read = readField(field, said);
    return "value" in read ? { question_id: id, selected: [], own_text: read.value } : undefined;
  }
  if (text.text.trim() === "") {
    return chosen.length === 0 ? undefined : { question_id: id, selected: [...chosen] };
  }
  return { question_id: id, selected: multi_select ? [...chosen] : [], own_text: text.text };
}

/** The reason why an answer is not confirmed though there is one: its value, or the number of its choices. */
export function problemOf(question: CoreQuestion, draft: QuestionDraft): FormHint | undefined {
  if (draft.isSkipped) return undefined;
  const { field, min = 0, max = Number.POSITIVE_INFINITY } = question;
  if (field !== undefined) {
    const said = draft.text.text;
    const read = said.trim() === "" ? undefined : readField(field, said);
    return read !== undefined && "problem" in read ? { why: "no_value", problem: read.problem } : undefined;
  }
  const { selected = [], own_text } = itemOf(question, draft) ?? {};
  const choices = selected.length + (own_text === undefined ? 0 : 1);
  if (choices === 0 || (choices >= min && choices <= max)) return undefined;
  return { why: choices < min ? "too_few" : "too_many" };
}

/** Reports if a row would be confirmed now: a chosen option, or own text that is not blank. */
export function isChosen(question: CoreQuestion, draft: QuestionDraft, row: Row): boolean {
  if (row.is === "option" && question.field !== undefined) {
    return draft.chosen.includes(question.options[row.index]?.id as string);
  }
  const item = itemOf(question, draft);
  if (row.is !== "option") return row.is === "own_text" && item?.own_text !== undefined;
  return item?.selected.includes(question.options[row.index]?.id as string) ?? false;
}

/** Reports if a person has chosen or typed anything: a prefill that nobody has changed is nothing. */
export function isBegun(question: CoreQuestion, draft: QuestionDraft): boolean {
  return (
    draft.chosen.length > 0 ||
    (draft.note ?? "").trim() !== "" ||
    (draft.attachments ?? []).length > 0 ||
    (draft.text.text.trim() !== "" && draft.text.text !== firstText(question).text)
  );
}

/** The progress of a question. A confirmed answer stays, despite later changes (L-33). */
export function statusOf(question: CoreQuestion, draft: QuestionDraft): QuestionStatus {
  if (draft.confirmed === undefined) return "open";
  return sameItem(draft.confirmed, itemOf(question, draft)) ? "answered" : "edited";
}

/** The positions of the questions with this status. */
export const questionsWith = ({ questions, drafts }: FormState, status: QuestionStatus): number[] =>
  questions.flatMap((question, index) =>
    statusOf(question, drafts[index] as QuestionDraft) === status ? [index] : [],
  );

/** Reports if leaving would lose a confirmed answer, a choice or text. */
export const hasWork = ({ questions, drafts }: FormState): boolean =>
  drafts.some(
    (draft, index) => draft.confirmed !== undefined || isBegun(questions[index] as CoreQuestion, draft),
  );

function sameItem(a: AnswerItem, b: AnswerItem | undefined): boolean {
  if (
    b === undefined ||
    a.skipped !== b.skipped ||
    a.note !== b.note ||
    a.own_text !== b.own_text ||
    a.selected.length !== b.selected.length ||
    a.attachments?.length !== b.attachments?.length
  )
    return false;
  return (
    a.selected.every((id, index) => id === b.selected[index]) &&
    (a.attachments ?? []).every((part, index) => part === b.attachments?.[index])
  );
}
