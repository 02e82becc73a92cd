// The reader of field values alone, for user interfaces: `@askwire/protocol/fields`. It carries no schemas.

export { answerLimits } from "./answer-limits.js";
export {
  expectedChoices,
  expectedOf,
  prefillOf,
  type ReadField,
  readField,
  sentAs,
} from "./field-value.js";
export { plainWidth } from "./fields/plain-width.js";
export type { FieldType } from "./fields/tables.js";
export type { Field } from "./messages/question-field.js";
