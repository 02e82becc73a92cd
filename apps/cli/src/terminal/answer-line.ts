import { type AskedWords, typedWords } from "@askwire/client/words";
import {
  type AnswerItem,
  type CoreQuestion,
  type Field,
  plainWidth,
  prefillOf,
  readField,
} from "@askwire/protocol";

/** The meaning of one typed line. */
export type LineAnswer = { item: AnswerItem } | { declined: true } | { again: string } | { noAsk: true };

export const DECLINE = "/decline";
/** The word by which a person says not to be asked questions. As an answer a person hardly means it. */
export const NO_ASK = "/noask";
/** The words that leave a field empty where it may be, and that take its prefill. An empty line is no answer. */
export const EMPTY = "/empty";
export const PREFILL = "/prefill";
/** The word that leaves a question out where that counts. As an answer a person hardly means it. */
export const SKIP = "/skip";
/** The word that leaves a conversation at its prompt. As an answer a person hardly means it. */
export const EXIT = "/exit";

/**
 * Reads one line as the answer to a question: a number or a label, several with commas, or else own text, whole.
 * An empty line asks again, as do own words if the question takes none; `/decline` declines. A field takes a value of
 * its type, and a boolean also the number or label of an option.
 *
 * @param takes.noAsk set if `/noask` says that nobody is to be asked. Default: it asks again.
 * @param takes.skip set if `/skip` leaves the question out. Default: it asks again.
 */
export function readAnswerLine(
  question: CoreQuestion,
  line: string,
  words: AskedWords,
  takes: { noAsk?: boolean; skip?: boolean } = {},
): LineAnswer {
  const { id, options, field } = question;
  const text = line.trim();
  if (text === "") return { again: words.emptyLine };
  if (text === DECLINE) return { declined: true };
  if (text === NO_ASK && takes.noAsk) return { noAsk: true };
  if (line === EXIT) return { again: words.exitIsForPrompt(EXIT, DECLINE) };
  if (line === NO_ASK) return { again: words.noAskIsElsewhere(NO_ASK, DECLINE) };
  if (text === SKIP && takes.skip) return { item: { question_id: id, selected: [], skipped: true } };
  const isText = field === undefined || field.type === "text";
  if (isText && [EMPTY, PREFILL, SKIP].includes(line) && !wordsOf(field).includes(line))
    return { again: words.wordIsElsewhere(line, DECLINE) };
  if (field !== undefined) return readFieldLine(field, question, text, words);
  const outOfRange = { again: words.numbersUpTo(options.length) };
  const onlyOptions = { again: words.onlyOptions(options.length) };
  if (options.length === 0) return { item: { question_id: id, selected: [], own_text: text } };
  const all = question.multi_select ? pieces(question, text) : [text];
  const found = all.map((piece) => choice(question, piece));
  // Only what is nothing but options chooses. All else is what the person says, a number without an option too.
  const selected = found.flatMap((one) => (one === undefined || one === "none" ? [] : [one]));
  if (selected.length === all.length) return counted(question, { selected: [...new Set(selected)] }, words);
  if (question.own_text) return counted(question, { selected: [], own_text: text }, words);
  return found.includes("none") ? outOfRange : onlyOptions;
}

/** The words that count at a field besides its values. */
const wordsOf = (field: Field | undefined): readonly string[] => [
  ...(field?.required === false ? [EMPTY] : []),
  ...(prefillOf(field) !== undefined ? [PREFILL] : []),
];

/** Several choices, if there are as many as the question wants. */
function counted(
  question: CoreQuestion,
  said: Pick<AnswerItem, "selected" | "own_text">,
  words: AskedWords,
): LineAnswer {
  const { id, min = 0, max = Number.POSITIVE_INFINITY } = question;
  const choices = said.selected.length + (said.own_text === undefined ? 0 : 1);
  if (choices < min || choices > max) return { again: words.expected(words.field.choices(question) ?? "") };
  return { item: { question_id: id, ...said } };
}

/** The value of a field, in canonical form. */
function readFieldLine(field: Field, question: CoreQuestion, text: string, words: AskedWords): LineAnswer {
  const { id, options } = question;
  if (text === EMPTY && field.required === false) {
    return { item: { question_id: id, selected: [], skipped: true } };
  }
  const said = (text === PREFILL ? prefillOf(field) : undefined) ?? text;
  const chosen = options.length === 0 ? undefined : choice(question, said);
  if (chosen === "none") return { again: words.numbersUpTo(options.length) };
  const read = readField(field, chosen ?? said);
  if ("problem" in read) return { again: words.expected(words.field.value(field)) };
  return { item: { question_id: id, selected: [], own_text: read.value } };
}

/** The parts between commas, of which a label may have some itself. */
function pieces(question: CoreQuestion, text: string): string[] {
  const whole = choice(question, text);
  if (whole !== undefined && whole !== "none") return [text];
  const split = (comma: RegExp) =>
    text
      .split(comma)
      .map((word) => word.trim())
      .filter((word) => word !== "");
  const all = split(/[,，、]/);
  return all.every((word) => choice(question, word) !== undefined) ? all : split(/,/);
}

/** The option that a word names by number or label; "none" for a number without an option. */
function choice({ options }: CoreQuestion, word: string): string | "none" | undefined {
  const byLabel =
    options.find((option) => option.label === word) ?? options.find((option) => same(option.label, word));
  if (byLabel !== undefined) return byLabel.id;
  const number = plainWidth(word);
  return /^\d+$/.test(number) ? (options[Number(number) - 1]?.id ?? "none") : undefined;
}

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

/** Reports if a word is one of these, in any language of the terminal, with wide letters of an input method too. */
const oneOf =
  (...words: readonly string[]) =>
  (word: string) =>
    words.includes(plainWidth(word).toLowerCase());

const inEach = Object.values(typedWords);
export const isYes = oneOf(...inEach.flatMap(({ yes }) => yes));
export const isNo = oneOf(...inEach.flatMap(({ no }) => no));
export const isAlways = oneOf("a", "always");
