import { visibleLine, visibleText } from "@askwire/client/text";
import type { AskedWords } from "@askwire/client/words";
import { type CoreOption, type CoreQuestion, prefillOf } from "@askwire/protocol";
import type { Paint } from "../device/paint.js";
import { DECLINE, EMPTY, PREFILL, SKIP } from "./answer-line.js";

/** The most lines and characters shown of a preview, so that the options below stay in sight. */
const PREVIEW_LINES = 12;
const PREVIEW_LENGTH = 1_200;

/** A question with its options as lines of text. */
export function questionCard(
  question: CoreQuestion,
  paint: Paint,
  words: AskedWords,
  { planIsShown }: { planIsShown: boolean },
): string[] {
  const { header, body, options, own_text, placeholder = "" } = question;
  const field = options.length > 0 && own_text && placeholder !== "";
  const tag = header === "" ? "" : `${visibleLine(header)} · `;
  return [
    `${paint("cyan", "?")} ${tag}${paint("bold", visibleText(question.question))}`,
    ...(body === "" || planIsShown ? [] : [visibleText(body)]),
    ...options.flatMap((option, index) => [
      `  ${index + 1}. ${optionLine(option, question, paint, words)}`,
      ...previewLines(option.preview ?? "", words).map((text) => paint("dim", `     │ ${text}`)),
    ]),
    ...(field ? [paint("dim", `  › ${visibleLine(words.told(placeholder))}`)] : []),
  ];
}

function optionLine(
  { id, label, description, recommended }: CoreOption,
  question: CoreQuestion,
  paint: Paint,
  words: AskedWords,
): string {
  const marks = [recommended && words.recommended, question.default?.includes(id) && words.byDefault];
  const mark = marks.filter(Boolean).join(", ");
  const marked = mark === "" ? "" : paint("dim", ` (${mark})`);
  const described = description === "" ? "" : paint("dim", `  ${visibleLine(description)}`);
  return `${visibleLine(label)}${marked}${described}`;
}

/** A preview from its beginning. The last line gives the number of hidden lines. */
function previewLines(preview: string, words: AskedWords): string[] {
  const lines = visibleText(preview).trimEnd().split("\n");
  if (lines.length === 1 && lines[0] === "") return [];
  const shown: string[] = [];
  let room = PREVIEW_LENGTH;
  for (const line of lines.slice(0, PREVIEW_LINES)) {
    if (line.length > room) {
      const part = line.slice(0, room).replace(/[\ud800-\udbff]$/, "");
      return [...shown, `${part}…`, ...more(lines.length - shown.length - 1, words)];
    }
    shown.push(line);
    room -= line.length;
  }
  return [...shown, ...more(lines.length - shown.length, words)];
}

const more = (lines: number, words: AskedWords) => (lines === 0 ? [] : [words.moreLines(lines)]);

/** The ways to answer a question, for the line of the cursor. */
export function answerHint(question: CoreQuestion, words: AskedWords, maySkip = false): string {
  const { options, multi_select, own_text, field, placeholder = "" } = question;
  if (field !== undefined) {
    const prefill = prefillOf(field);
    const ways = [
      ...(prefill === undefined ? [] : [words.takesPrefill(PREFILL, visibleLine(prefill))]),
      ...(field.required === false ? [words.leavesEmpty(EMPTY)] : maySkip ? [words.field.required] : []),
    ];
    return words.howToFill(words.field.value(field), [...ways, words.declines(DECLINE)]);
  }
  const ends = [...(maySkip ? [words.leavesOut(SKIP)] : []), words.declines(DECLINE)];
  if (options.length === 0) return words.howToAnswer(visibleLine(words.told(placeholder)), ends);
  const choices = words.field.choices(question);
  return words.howToChoose({ many: multi_select, ownText: own_text, choices }, ends);
}
