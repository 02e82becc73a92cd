// The one reader of field values: the server, the client's form and the terminal agree on every text.

import type { AnswerItem } from "./answer-item.js";
import type { Field, FieldType } from "./messages/question-field.js";

/** The value of a field in canonical form, or what is wrong with its text (P-XAN-4). */
export type ReadField = { readonly value: string } | { readonly problem: "type" | "bounds" };

/** The longest text of a field whose type is not `text`, in UTF-16 units. */
const MOST_TYPED = 2048;

/** Makes the canonical form of a text without blanks around it; undefined if the text has another type (P-XFL-3). */
type Reader = (text: string) => string | undefined;

type Typed = Exclude<FieldType, "text">;
const readers: { readonly [T in Typed]: Reader } = {
  number: readNumber,
  integer: readInteger,
  boolean: readBoolean,
  date: readDate,
  email: readEmail,
  uri: readUri,
};

/** The part of a value that bounds are about. A `text` is compared as a whole, in canonical form. */
export const boundedBy = {
  text: "length",
  number: "number",
  integer: "number",
  boolean: "none",
  date: "text",
  email: "length",
  uri: "length",
} as const satisfies { readonly [T in FieldType]: "length" | "number" | "text" | "none" };

/**
 * Reads a text as the value of a field. Patterns are checked by the server alone, and blank texts by the caller, since
 * a field may be left empty. Takes any text and does not throw.
 *
 * @returns the canonical form, or the code of the first check that fails.
 */
export function readField({ type, bounds }: Pick<Field, "type" | "bounds">, text: string): ReadField {
  const value = type === "text" ? text : text.length > MOST_TYPED ? undefined : readers[type](text.trim());
  if (value === undefined) return { problem: "type" };
  if (bounds === undefined) return { value };
  const size = sizeOf(type, value);
  const { min = size, max = size } = bounds;
  return size < min || size > max ? { problem: "bounds" } : { value };
}

/** The prefill of a field in canonical form, which every control can show. Undefined without one, or for no value. */
export function prefillOf(field: Field | undefined): string | undefined {
  const read = field?.prefill === undefined ? undefined : readField(field, field.prefill);
  return read !== undefined && "value" in read ? read.value : undefined;
}

/** The value that is sent for the text of a field, where it is another text than stands there. Undefined otherwise. */
export function sentAs(field: Field | undefined, text: string): string | undefined {
  const read = field === undefined || text.trim() === "" ? undefined : readField(field, text);
  return read !== undefined && "value" in read && ![text, text.trim()].includes(read.value)
    ? read.value
    : undefined;
}

function sizeOf(type: FieldType, value: string): number | string {
  const by = boundedBy[type];
  if (by === "number") return Number(value);
  return by === "length" ? [...value].length : value;
}

/** True if a bound is of the kind that fits the type. */
export function isBoundOf(type: FieldType, bound: number | string): boolean {
  const by = boundedBy[type];
  if (by === "none") return false;
  if (by === "text") return typeof bound === "string" && readers[type as Typed](bound) === bound;
  if (type === "number") return typeof bound === "number";
  return Number.isSafeInteger(bound) && (by === "number" || (bound as number) >= 0);
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,4})?$/i;

/** A text with wide digits, signs and letters, as an input method types them, in their plain form. No other is one: `²` is no 2. */
export const plainWidth = (text: string): string =>
  text.replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0));

function readNumber(text: string): string | undefined {
  const plain = plainWidth(text);
  const value = NUMBER.test(plain) ? Number(plain) : Number.NaN;
  if (!Number.isFinite(value)) return undefined;
  // Digits behind the point may be rounded; a whole part of other digits, or nothing, is another number.
  const isOther = (value === 0 || Math.abs(value) > Number.MAX_SAFE_INTEGER) && !isSame(plain, String(value));
  // Zero has no sign.
  return isOther ? undefined : String(value + 0);
}

const isSame = (one: string, other: string) => decimalOf(one) === decimalOf(other);

/** The digits of a number without zeros at its ends, and its exponent. */
function decimalOf(number: string): string {
  const [, whole = "", part = "", exponent = "0"] = /^[+-]?(\d*)\.?(\d*)(?:e(.+))?$/i.exec(number) ?? [];
  const digits = `${whole}${part}`.replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  const power = Number(exponent) - part.length + digits.length - significant.length;
  return significant === "" ? "0" : `${significant}e${power}`;
}

function readInteger(text: string): string | undefined {
  const plain = plainWidth(text);
  const value = /^[+-]?\d+$/.test(plain) ? Number(plain) : Number.NaN;
  return Number.isSafeInteger(value) ? String(value + 0) : undefined;
}

const yes = ["true", "yes", "y", "是"];
const no = ["false", "no", "n", "否"];

function readBoolean(text: string): string | undefined {
  const word = text.toLowerCase();
  return yes.includes(word) ? "true" : no.includes(word) ? "false" : undefined;
}

const DATE = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/;

function readDate(text: string): string | undefined {
  const [, year = "", , month = "", day = ""] = DATE.exec(plainWidth(text)) ?? [];
  const date = [year, month.padStart(2, "0"), day.padStart(2, "0")].join("-");
  const time = new Date(`${date}T00:00:00Z`);
  // A runtime may carry the 30th of February over into March.
  return year > "0000" && !Number.isNaN(time.getTime()) && time.toISOString().startsWith(date)
    ? date
    : undefined;
}

const NAME = /^[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]{1,64}$/u;
const DOMAIN_LABEL = /^(?!-)[\p{L}\p{M}\p{N}-]{1,63}(?<!-)$/u;

function readEmail(text: string): string | undefined {
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
}

const SCHEME = /^[a-z][a-z0-9+.-]+:/i;
/** A name with a port has the form of a scheme, and is not meant so. */
const PORT = /^[^/:]+:\d+(?:\/|$)/;

function readUri(text: string): string | undefined {
  if (!SCHEME.test(text) || /[\s\\]/.test(text) || PORT.test(text)) return undefined;
  try {
    return new URL(text).href;
  } catch {
    return undefined;
  }
}

const names: { readonly [T in FieldType]: string } = {
  text: "a text",
  number: "a number",
  integer: "a whole number",
  boolean: "yes or no",
  date: "a date such as 2026-03-01",
  email: "an email address",
  uri: "an address with its scheme, such as https://example.com",
};

/** Describes the values of a field in words: `a whole number from 1 to 65535`. */
export function expectedOf({ type, bounds: { min, max } = {} }: Pick<Field, "type" | "bounds">): string {
  const name = names[type];
  if (min === undefined && max === undefined) return name;
  const by = boundedBy[type];
  if (by === "number" || by === "text") {
    if (max === undefined) return `${name}, ${min} or ${by === "text" ? "later" : "more"}`;
    if (min === undefined) return `${name}, ${max} or ${by === "text" ? "earlier" : "less"}`;
    return min === max ? `${name}, ${min}` : `${name} from ${min} to ${max}`;
  }
  const characters = (count: number | string) => (count === 1 ? "1 character" : `${count} characters`);
  if (max === undefined) return `${name} of at least ${characters(min as number)}`;
  if (min === undefined) return `${name} of at most ${characters(max)}`;
  return min === max ? `${name} of ${characters(max)}` : `${name} of ${min} to ${characters(max)}`;
}

/** The text of an item as the answer to a field: of a boolean also the id of an option. Undefined for none. */
export function fieldText({ selected, own_text }: AnswerItem): string | undefined {
  const text = own_text !== undefined && own_text.trim() !== "" ? own_text : selected[0];
  return text === undefined || text.trim() === "" ? undefined : text;
}

/** True if the answer leaves its field empty. */
export const isLeftEmpty = (item: AnswerItem): boolean =>
  item.skipped === true || fieldText(item) === undefined;

/**
 * The items with the values of fields as own text in canonical form (P-XFL-3). The items fit their questions. A field that is
 * left empty is skipped, unless pictures stand in its place (P-XFL-5).
 */
export function canonicalItems(
  questions: readonly { readonly id: string; readonly field?: Field }[],
  items: readonly AnswerItem[],
): AnswerItem[] {
  return items.map((item) => {
    const field = questions.find(({ id }) => id === item.question_id)?.field;
    if (field === undefined) return item;
    const { own_text: _text, skipped: _skipped, ...rest } = item;
    const read = isLeftEmpty(item) ? undefined : readField(field, fieldText(item) as string);
    if (read !== undefined && "value" in read) return { ...rest, selected: [], own_text: read.value };
    const hasPictures = (rest.attachments ?? []).length > 0;
    return { ...rest, selected: [], ...(hasPictures ? { own_text: "" } : { skipped: true }) };
  });
}

/** Describes how many of the options are to be chosen: `2 to 3 choices`. Undefined for any number. */
export function expectedChoices({
  min,
  max,
}: {
  min?: number | undefined;
  max?: number | undefined;
}): string | undefined {
  if (min === undefined && max === undefined) return undefined;
  const choices = (count: number) => (count === 1 ? "1 choice" : `${count} choices`);
  if (max === undefined) return `at least ${choices(min as number)}`;
  if (min === undefined) return `at most ${choices(max)}`;
  return min === max ? choices(max) : `${min} to ${choices(max)}`;
}
