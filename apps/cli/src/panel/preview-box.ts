import { visibleText } from "@askwire/client/text";
import type { CoreOption, CoreQuestion } from "@askwire/protocol";
import type { MeasuredTexts } from "../device/measured-texts.js";
import type { Drawing } from "./drawing.js";
import { LEAST_PREVIEW } from "./layout.js";

/** The columns of a frame with its blanks. */
const FRAME = 4;
/** The most options that are measured, and the most characters of a line. No frame is wider. */
const MEASURED = 20;
const WIDEST = 80;

/** Reports if an option has a preview. */
export const hasPreviews = ({ options }: CoreQuestion): boolean =>
  options.some((option) => previewOf(option) !== "");

/** The lines of the largest preview of a question with its frame, counted no further than `room`. */
export function previewNeeds({ options }: CoreQuestion, room: number): number {
  let most = 1;
  for (const option of options) {
    const text = previewOf(option);
    let lines = 1;
    for (let at = text.indexOf("\n"); at !== -1 && lines <= room; at = text.indexOf("\n", at + 1)) lines += 1;
    most = Math.max(most, lines);
  }
  return Math.min(room, Math.max(LEAST_PREVIEW, most + 2));
}

/** The columns of a question's widest preview with its frame, in the lines visible at once. */
export function widestPreview({ options }: CoreQuestion, room: number, texts: MeasuredTexts): number {
  const lines = options.slice(0, MEASURED).flatMap((option) => previewOf(option).split("\n", room));
  const widths = lines.map((line) => texts.widthOf(texts.withoutTabs(visibleText(line.slice(0, WIDEST)))));
  return Math.max(...widths) + FRAME;
}

/**
 * The preview of an option in a frame of exactly this size. Its last line gives the number of hidden lines (L-36,
 * P-XQS-3).
 */
export function previewBox(option: CoreOption | undefined, rows: number, drawing: Drawing): string[] {
  const { words, paint, texts, columns } = drawing;
  const inner = columns - FRAME;
  if (rows < LEAST_PREVIEW || inner < 1) return [];
  const lines = contentOf(option, rows - 2, inner, drawing);
  const title = texts.cut(`─ ${words.preview} `, columns - 3);
  const edge = paint("dim", "│");
  return [
    paint("dim", `╭${title}${"─".repeat(columns - 2 - texts.widthOf(title))}╮`),
    ...Array.from(
      { length: rows - 2 },
      (_, index) => `${edge} ${texts.filled(lines[index] ?? "", inner)} ${edge}`,
    ),
    paint("dim", `╰${"─".repeat(columns - 2)}╯`),
  ];
}

function contentOf(option: CoreOption | undefined, room: number, inner: number, drawing: Drawing): string[] {
  const { words, paint, texts, ready } = drawing;
  const text = option === undefined ? "" : previewOf(option);
  if (text === "") return [paint("dim", words.noPreview)];
  const all = text.split("\n");
  const shown = all.length <= room ? all : all.slice(0, room - 1);
  const lines = shown.map((line) => texts.cut(texts.withoutTabs(visibleText(line)), inner));
  const hidden = all.length - shown.length;
  if (hidden === 0) return lines;
  const more = `… ${words.moreLines(hidden)}`;
  const named = ready ? [`${more} · ${words.showsAll}`, `${more} · ${words.readKey}`] : [];
  return [
    ...lines,
    paint("dim", named.find((text) => texts.widthOf(text) <= inner) ?? texts.cut(more, inner)),
  ];
}

/** The text of a preview, without the fence around a single block of code. */
export function previewOf({ preview = "" }: CoreOption): string {
  const text = preview.trimEnd();
  return /^(```+)[^\n`]*\n([\s\S]*)\n\1$/.exec(text)?.[2] ?? text;
}
