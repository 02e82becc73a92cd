// The reader of field values alone, for user interfaces: `@askwire/protocol/fields`. It carries no schemas.

export { expectedChoices, expectedOf, type ReadField, readField } from "./field-value.js";
export type { Field, FieldType } from "./messages/question-field.js";
