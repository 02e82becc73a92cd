import { approvalOptionKinds, fieldTypes } from "@askwire/protocol";
import { member } from "./member.js";

/**
 * The word of a newer server for which this client shows no request: the type of a field, or the kind of an option
 * (P-XAN-9). Undefined for a request without one.
 */
export function unknownWord(payload: unknown): string | undefined {
  for (const [number, question] of elements(member(payload, "questions")).entries()) {
    const type = member(member(question, "field"), "type");
    if (isOther(type, fieldTypes)) return `questions[${number}].field.type: "${type}" is not known here`;
  }
  for (const [number, option] of elements(member(payload, "options")).entries()) {
    const kind = member(option, "kind");
    if (isOther(kind, approvalOptionKinds)) return `options[${number}].kind: "${kind}" is not known here`;
  }
  return undefined;
}

const isOther = (word: unknown, known: readonly string[]): word is string =>
  typeof word === "string" && !known.includes(word);

const elements = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
