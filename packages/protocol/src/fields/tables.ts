// The types of a field: another is a file beside this one and a line in `fieldTypes`. The compiler then names the
// tables below that lack it.

import * as boolean from "./boolean.js";
import * as date from "./date.js";
import * as email from "./email.js";
import type { FieldInput, FieldSchema, FieldValue } from "./field-kind.js";
import * as integer from "./integer.js";
import * as number from "./number.js";
import * as text from "./text.js";
import * as uri from "./uri.js";

/** The types of a field (P-XFL-1). */
export const fieldTypes = ["text", "number", "integer", "boolean", "date", "email", "uri"] as const;
/** A value of {@link fieldTypes}. */
export type FieldType = (typeof fieldTypes)[number];

type OfEach<Part> = Readonly<Record<FieldType, Part>>;

/** The reader of each type, and what its bounds are about. */
export const fieldValues: OfEach<FieldValue> = {
  text: text.value,
  number: number.value,
  integer: integer.value,
  boolean: boolean.value,
  date: date.value,
  email: email.value,
  uri: uri.value,
};

/** The values of each type in the words of the protocol, which speaks English. */
export const expectedValues: OfEach<string> = {
  text: text.words,
  number: number.words,
  integer: integer.words,
  boolean: boolean.words,
  date: date.words,
  email: email.words,
  uri: uri.words,
};

/** The schema of the value of each type in JSON. */
export const fieldSchemas: OfEach<FieldSchema> = {
  text: text.schema,
  number: number.schema,
  integer: integer.schema,
  boolean: boolean.schema,
  date: date.schema,
  email: email.schema,
  uri: uri.schema,
};

/** The input of each type in a page. Without one, a value is typed on several lines. */
export const fieldInputs: OfEach<FieldInput | undefined> = {
  text: undefined,
  number: number.input,
  integer: integer.input,
  boolean: undefined,
  date: date.input,
  email: email.input,
  uri: uri.input,
};
