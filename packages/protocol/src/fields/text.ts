import type { FieldSchema, FieldValue } from "./field-kind.js";

export const value: FieldValue = { boundedBy: "length" };
export const words = "a text";
export const schema: FieldSchema = { type: "string" };
