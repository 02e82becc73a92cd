// The reader of field values alone, for user interfaces: `@askwire/protocol/fields`. It carries no schemas.

export { answerLimits } from "./answer-limits.js";
export {
  expectedChoices,
  expectedOf,
  plainWidth,
  prefillOf,
  type ReadField,
  readField,
  sentAs,
} from "./field-value.js";
export type { Field, FieldType } from "./messages/question-field.js";
