import type { FieldInput, FieldSchema, FieldValue } from "./field-kind.js";
import { plainWidth } from "./plain-width.js";

const DATE = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/;

export const value: FieldValue = {
  boundedBy: "text",
  read(text) {
    const [, year = "", , month = "", day = ""] = DATE.exec(plainWidth(text)) ?? [];
    const date = [year, month.padStart(2, "0"), day.padStart(2, "0")].join("-");
    const time = new Date(`${date}T00:00:00Z`);
    // A runtime may carry the 30th of February over into March.
    return year > "0000" && !Number.isNaN(time.getTime()) && time.toISOString().startsWith(date)
      ? date
      : undefined;
  },
};

export const words = "a date such as 2026-03-01";
export const schema: FieldSchema = { type: "string", format: "date" };
export const input: FieldInput = { type: "date", shows: /^\d{4}-\d\d-\d\d$/ };
