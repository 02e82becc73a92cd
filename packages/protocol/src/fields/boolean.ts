import type { FieldSchema, FieldValue } from "./field-kind.js";

const yes = ["true", "yes", "y", "是"];
const no = ["false", "no", "n", "否"];

export const value: FieldValue = {
  boundedBy: "none",
  read(text) {
    const word = text.toLowerCase();
    return yes.includes(word) ? "true" : no.includes(word) ? "false" : undefined;
  },
};

export const words = "yes or no";
export const schema: FieldSchema = { type: "boolean" };
/** The options of a boolean, unless it has its own words for them (P-XFL-3). */
export const options = [
  { id: "true", label: "Yes", description: "" },
  { id: "false", label: "No", description: "" },
];
