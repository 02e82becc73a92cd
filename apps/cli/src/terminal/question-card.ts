import type { CoreOption, CoreQuestion } from "@askwire/protocol";
import { DECLINE } from "./answer-line.js";
import type { Paint } from "./paint.js";
import { visibleLine, visibleText } from "./visible-text.js";

/** Lines and characters of a preview that are shown: the options below it are to stay in sight. */
const PREVIEW_LINES = 12;
const PREVIEW_LENGTH = 1_200;

/** A question as lines of text, with what may be chosen. */
export function questionCard(
  question: CoreQuestion,
  paint: Paint,
  { planIsShown }: { planIsShown: boolean },
): string[] {
  const { header, body, options, own_text, placeholder = "" } = question;
  const field = options.length > 0 && own_text && placeholder !== "";
  const tag = header === "" ? "" : `${visibleLine(header)} · `;
  return [
    `${paint("cyan", "?")} ${tag}${paint("bold", visibleText(question.question))}`,
    ...(body === "" || planIsShown ? [] : [visibleText(body)]),
    ...options.flatMap((option, index) => [
      `  ${index + 1}. ${optionLine(option, question, paint)}`,
      ...previewLines(option.preview ?? "").map((text) => paint("dim", `     │ ${text}`)),
    ]),
    ...(field ? [paint("dim", `  › ${visibleLine(placeholder)}`)] : []),
  ];
}

function optionLine(
  { id, label, description, recommended }: CoreOption,
  question: CoreQuestion,
  paint: Paint,
): string {
  const marks = [recommended && "recommended", question.default?.includes(id) && "default"];
  const mark = marks.filter(Boolean).join(", ");
  const marked = mark === "" ? "" : paint("dim", ` (${mark})`);
  const described = description === "" ? "" : paint("dim", `  ${visibleLine(description)}`);
  return `${visibleLine(label)}${marked}${described}`;
}

/** What there is to look at, from its beginning; its last line says how much is not shown. */
function previewLines(preview: string): string[] {
  const lines = visibleText(preview).trimEnd().split("\n");
  if (lines.length === 1 && lines[0] === "") return [];
  const shown: string[] = [];
  let room = PREVIEW_LENGTH;
  for (const line of lines.slice(0, PREVIEW_LINES)) {
    if (line.length > room) {
      const part = line.slice(0, room).replace(/[\ud800-\udbff]$/, "");
      return [...shown, `${part}…`, more(lines.length - shown.length - 1)].filter((text) => text !== "");
    }
    shown.push(line);
    room -= line.length;
  }
  const rest = lines.length - shown.length;
  return rest === 0 ? shown : [...shown, more(rest)];
}

const more = (lines: number) => (lines === 0 ? "" : `… ${lines} more ${lines === 1 ? "line" : "lines"}`);

/** How a question can be answered, beside the cursor. */
export function answerHint({ options, multi_select, own_text, placeholder = "" }: CoreQuestion): string {
  const words = placeholder === "" ? "" : `: ${visibleLine(placeholder)}`;
  if (options.length === 0) return `your answer${words} (${DECLINE} to decline)`;
  const numbers = multi_select ? "numbers with commas" : "a number";
  return `${numbers}, ${own_text ? "or your own words" : "no other words"} (${DECLINE} to decline)`;
}
