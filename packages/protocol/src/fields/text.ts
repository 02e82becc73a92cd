import type { FieldSchema, FieldValue } from "./field-kind.js";

export const value: FieldValue = { boundedBy: "length" };
export const en = "a text";
export const zh = "文本";
export const schema: FieldSchema = { type: "string" };
