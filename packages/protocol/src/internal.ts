// Code shared by the packages of this repository: `@askwire/protocol/internal`. The names are no part of the protocol
// and not for others: any version may change or remove them.

export { BoundedMap, BoundedSet } from "./bounded.js";
export { defined } from "./defined.js";
export { errorText } from "./error-text.js";
export { canonicalItems } from "./field-value.js";
export { fieldInputs, fieldSchemas, fieldValues } from "./fields/tables.js";
export { FormProperty, FormSchema } from "./form-schema.js";
export { jsonText } from "./framing/json-text.js";
export { tooDeepAt, tooManyAt } from "./framing/nesting.js";
export { randomId, timedId } from "./ids.js";
export { type EqualEnds, equalEnds } from "./line-ends/equal-ends.js";
export { inLineEndsOf, keptText, typedText } from "./line-ends/kept-line-ends.js";
export {
  linedText,
  replacedIn,
  type TextRange,
  withLineFeeds,
  writtenText,
} from "./line-ends/lined-text.js";
export { invalidParams, toWireError } from "./local-side.js";
export { Approver } from "./messages/principal.js";
export { notSupported } from "./messages/requests.js";
export { meantName, nameKey, nearest } from "./nearest.js";
export {
  checkOptionNames,
  checkOptions,
  limitRules,
  type OptionRule,
  type OptionRules,
  option,
  shown,
} from "./options.js";
export { checkedEventText, eventText } from "./peer.js";
export { plainBoolean, plainList, plainQuestions, plainText } from "./plain-questions.js";
export { checkQuestionNames } from "./question-names.js";
export { isAnswerKey, isSaid, isTyped } from "./questions.js";
export { moreThan, Room, type RoomBounds, unitsOf } from "./room.js";
export { says, showsEdit, withEditShown } from "./shown-edit.js";
export { isThenable } from "./thenable.js";
export * from "./zod.js";
