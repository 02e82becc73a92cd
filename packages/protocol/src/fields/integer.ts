import type { FieldInput, FieldSchema, FieldValue } from "./field-kind.js";
import { plainWidth } from "./plain-width.js";

export const value: FieldValue = {
  boundedBy: "number",
  read(text) {
    const plain = plainWidth(text);
    const value = /^[+-]?\d+$/.test(plain) ? Number(plain) : Number.NaN;
    return Number.isSafeInteger(value) ? String(value + 0) : undefined;
  },
};

export const words = "a whole number";
export const schema: FieldSchema = { type: "integer" };
export const input: FieldInput = { type: "text", inputMode: "numeric" };
