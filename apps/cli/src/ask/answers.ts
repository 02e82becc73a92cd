import { type AnswerItem, type CoreQuestion, expectedOf, type Field, readField } from "@askwire/protocol";
import { usageFailure } from "../input/failure.js";
import { parseJson } from "../input/parse-json.js";

/**
 * Reads answers from JSON: an object from the question's text to a label, a list of labels or `{labels?, own_text?}`.
 * A missing question is skipped.
 *
 * @param file the name for messages.
 * @throws Failure that names the file, the place in it and what was expected there.
 */
export function answersOfFile(questions: readonly CoreQuestion[], json: string, file: string): AnswerItem[] {
  const answers = parseJson(json, file);
  if (!isObject(answers))
    throw usageFailure(`${file}: expected an object, from the text of a question to its answer`);
  for (const text of Object.keys(answers)) {
    if (questions.some(({ question }) => question === text)) continue;
    const texts = oneOf(questions.map(({ question }) => question));
    throw usageFailure(`${file}: [${JSON.stringify(text)}]: no such question; expected ${texts}`);
  }
  return questions.map((question) => {
    const { id, question: text } = question;
    if (!Object.hasOwn(answers, text)) return { question_id: id, selected: [], skipped: true };
    return { question_id: id, ...readAnswer(question, answers[text], `${file}: [${JSON.stringify(text)}]`) };
  });
}

function readAnswer(question: CoreQuestion, value: unknown, place: string) {
  if (question.field !== undefined)
    return { selected: [], own_text: fieldValue(question.field, question, value, place) };
  const open = question.options.length === 0;
  // Without options, a text is the answer itself.
  if (typeof value === "string" && open) return { selected: [], own_text: ownText(value, place) };
  if (typeof value === "string") return { selected: [option(question, value, place)] };
  if (Array.isArray(value)) return { selected: options(question, value, place) };
  if (!isObject(value)) throw usageFailure(`${place}: expected ${expectation(question)}`);

  const { labels, own_text, ...rest } = value;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined)
    throw usageFailure(`${place}.${unknown}: no such key; expected labels or own_text`);
  if (labels !== undefined && !Array.isArray(labels))
    throw usageFailure(`${place}.labels: expected a list of labels`);
  const selected = labels === undefined ? [] : options(question, labels, `${place}.labels`);
  if (own_text === undefined && labels !== undefined) return { selected };
  const own = ownText(own_text, `${place}.own_text`);
  if (selected.length > 0 && !question.multi_select)
    throw usageFailure(`${place}: expected labels or own_text; both only where several may be chosen`);
  return { selected, own_text: own };
}

/** The value of a field in canonical form, from a text, a number, a boolean or the label of an option. */
function fieldValue(field: Field, { options }: CoreQuestion, value: unknown, place: string): string {
  const given = isObject(value) ? value.own_text : value;
  const text = ["string", "number", "boolean"].includes(typeof given) ? String(given) : "";
  const read = readField(field, options.find(({ label }) => label === text)?.id ?? text);
  if (text.trim() !== "" && "value" in read) return read.value;
  throw usageFailure(`${place}: expected ${expectedOf(field)}`);
}

function options(question: CoreQuestion, labels: readonly unknown[], place: string): string[] {
  if (labels.length === 0)
    throw usageFailure(`${place}: expected at least one label; leave the question out to skip it`);
  if (labels.length > 1 && !question.multi_select)
    throw usageFailure(`${place}: expected one label: only one may be chosen`);
  const chosen = labels.map((label, index) => option(question, label, `${place}[${index}]`));
  return question.options.map(({ id }) => id).filter((id) => chosen.includes(id));
}

function option(question: CoreQuestion, label: unknown, place: string): string {
  const found = question.options.find((candidate) => candidate.label === label);
  if (found !== undefined) return found.id;
  const what = typeof label === "string" ? `${JSON.stringify(label)} is no option; ` : "";
  throw usageFailure(`${place}: ${what}expected ${expectation(question)}`);
}

function ownText(value: unknown, place: string): string {
  if (typeof value === "string" && value.trim() !== "") return value;
  throw usageFailure(`${place}: expected a text that is not blank`);
}

function expectation({ options: [...choices], multi_select }: CoreQuestion): string {
  const own = '{"own_text": TEXT}';
  if (choices.length === 0) return `a text or ${own}`;
  return `${oneOf(choices.map(({ label }) => label))}${multi_select ? ", a list of them" : ""} or ${own}`;
}

/** Quotes the first of these texts, for a message. */
function oneOf(texts: readonly string[]): string {
  const shown = texts.slice(0, 5).map((text) => JSON.stringify(text));
  return [...shown, ...(texts.length > shown.length ? ["…"] : [])].join(", ");
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
