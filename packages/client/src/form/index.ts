// The question form: the state of a question while a person answers it. No terminal, no DOM.
export type { FormAction } from "./actions.js";
export {
  type ApprovalFormReply,
  type ApprovalToShow,
  type ApprovalWords,
  approvalForm,
  approvalReply,
} from "./approval.js";
export { keyNames, PAGE_ROWS } from "./key-table.js";
export { dropKey, HELD_MS, type KeyedForm, keyedForm, passTime, pressKey, wakeAt } from "./keyed-form.js";
export { type FormKey, formAction } from "./keys.js";
export {
  type Press,
  type PressGuard,
  pointerMoved,
  pressed,
  pressGuard,
  RESTING_MS,
  takesFrom,
  UNSEEN_MS,
} from "./press-guard.js";
export { reduceForm } from "./reduce.js";
export { foundRows } from "./side-field.js";
export {
  DECLINE_AGAIN_MS,
  type FormHint,
  type FormOptions,
  type FormResult,
  type FormState,
  hasReview,
  hasWork,
  isBegun,
  isChosen,
  itemOf,
  mayLeaveOut,
  type QuestionDraft,
  type QuestionStatus,
  questionForm,
  questionRows,
  questionsWith,
  type Row,
  type SideField,
  shownQuestion,
  statusOf,
} from "./state.js";
export { editField, emptyField, type FieldEdit, OWN_TEXT_LENGTH, type TextField } from "./text-field.js";
