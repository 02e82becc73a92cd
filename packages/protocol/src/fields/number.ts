import type { FieldInput, FieldSchema, FieldValue } from "./field-kind.js";
import { plainWidth } from "./plain-width.js";

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,4})?$/i;

export const value: FieldValue = {
  boundedBy: "number",
  read(text) {
    const plain = plainWidth(text);
    const value = NUMBER.test(plain) ? Number(plain) : Number.NaN;
    if (!Number.isFinite(value)) return undefined;
    // Digits behind the point may be rounded; a whole part of other digits, or nothing, is another number.
    const isOther =
      (value === 0 || Math.abs(value) > Number.MAX_SAFE_INTEGER) && !isSame(plain, String(value));
    // Zero has no sign.
    return isOther ? undefined : String(value + 0);
  },
};

const isSame = (one: string, other: string) => decimalOf(one) === decimalOf(other);

/** The digits of a number without zeros at its ends, and its exponent. */
function decimalOf(number: string): string {
  const [, whole = "", part = "", exponent = "0"] = /^[+-]?(\d*)\.?(\d*)(?:e(.+))?$/i.exec(number) ?? [];
  const digits = `${whole}${part}`.replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  const power = Number(exponent) - part.length + digits.length - significant.length;
  return significant === "" ? "0" : `${significant}e${power}`;
}

export const words = "a number";
export const schema: FieldSchema = { type: "number" };
export const input: FieldInput = { type: "text", inputMode: "decimal" };
