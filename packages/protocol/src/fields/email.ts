import type { FieldInput, FieldSchema, FieldValue } from "./field-kind.js";

const NAME = /^[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]{1,64}$/u;
const DOMAIN_LABEL = /^(?!-)[\p{L}\p{M}\p{N}-]{1,63}(?<!-)$/u;

export const value: FieldValue = {
  boundedBy: "length",
  read(text) {
    const at = text.lastIndexOf("@");
    const name = text.slice(0, at);
    const domain = text.slice(at + 1).toLowerCase();
    const fits =
      at > 0 &&
      text.length <= 254 &&
      NAME.test(name) &&
      name.split(".").every((part) => part !== "") &&
      domain.split(".").every((label) => DOMAIN_LABEL.test(label));
    return fits ? `${name}@${domain}` : undefined;
  },
};

export const words = "an email address";
export const schema: FieldSchema = { type: "string", format: "email" };
export const input: FieldInput = { type: "text", inputMode: "email" };
