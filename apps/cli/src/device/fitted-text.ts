import { visibleLine } from "@askwire/client/text";
import stringWidth from "string-width";
import { segmentsOf } from "./segments-of.js";

/** The distance of tab stops in columns. */
const TAB_STOP = 4;

/** The most UTF-16 units shown of one character, since marks can be heaped on it without end. */
const CHARACTER_LENGTH = 32;

// biome-ignore lint/suspicious/noControlCharactersInRegex: a colour begins with one.
const COLOUR = /(\u001b\[[0-9;]*m)/;

/** A character as a person sees it, or a change of colour, which has no width. */
export interface Cell {
  readonly text: string;
  readonly width: number;
  readonly colour: boolean;
  /** The length of its text in UTF-16 units. */
  readonly length: number;
}

/** The number of columns of a text; colours take none. */
export function widthOf(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const cell of cellsOf(text)) width += cell.width;
  return width;
}

/** Foreign text on one line, ready to be measured. */
export const oneLine = (text: string): string => visibleLine(text).replaceAll("\t", " ");

/** A line with blanks instead of tabs, up to the next stop. */
export function withoutTabs(line: string, stop = TAB_STOP): string {
  if (!line.includes("\t")) return line;
  let shown = "";
  let used = 0;
  for (const [index, part] of line.split("\t").entries()) {
    const blanks = index === 0 ? 0 : stop - (used % stop);
    shown += " ".repeat(blanks) + part;
    used += blanks + widthOf(part);
  }
  return shown;
}

/** A line up to the room for it, with `…` at the cut. Reads no further than that. */
export function cut(line: string, columns: number): string {
  if (columns <= 0) return "";
  const room = fitting(line, columns);
  return room === undefined ? line : `${room.text}…${room.colours.length > 0 ? RESET : ""}`;
}

/** The part of a line that fits with a `…`. Undefined if all of it fits without. */
function fitting(line: string, columns: number): { text: string; colours: string[] } | undefined {
  let text = "";
  let used = 0;
  let kept: { text: string; colours: string[] } = { text: "", colours: [] };
  const colours: string[] = [];
  for (const cell of cellsOf(line)) {
    if (used + cell.width > columns) return kept;
    text += cell.text;
    used += cell.width;
    if (cell.colour) follow(colours, cell.text);
    if (used < columns) kept = { text, colours: [...colours] };
  }
  return text === line ? undefined : { text: kept.text, colours: kept.colours };
}

/**
 * The lines of a text at this width, broken between words or wide characters; a too long word is broken anywhere.
 * Lines are made on demand, so that a caller pays only for those it takes.
 */
export function* wrapped(text: string, columns: number): Generator<string> {
  for (const line of text.split("\n")) yield* wrappedLine(withoutTabs(line), Math.max(1, columns));
}

/** The first lines of wrapped text; one more than the room if there are more. */
export function firstLines(lines: Iterable<string>, room: number): string[] {
  const first: string[] = [];
  for (const line of lines) {
    first.push(line);
    if (first.length > room) break;
  }
  return first;
}

function* wrappedLine(line: string, columns: number): Generator<string> {
  if (line.length <= columns && PLAIN.test(line)) return yield line;
  const colours: string[] = [];
  for (const cells of brokenRows(cellsOf(line), columns)) {
    const before = colours.join("");
    for (const { colour, text } of cells) if (colour) follow(colours, text);
    const text = cells.map((cell) => cell.text).join("");
    yield before + text.trimEnd() + (colours.length > 0 ? RESET : "");
  }
}

/** A text and its width in columns, of which rows are made. */
type Measured = Pick<Cell, "text" | "width">;

/**
 * The rows of a line, broken between words or wide characters; a too long word is broken anywhere. A blank at which a
 * row was broken is dropped, and a character that is wider than a row is `…`. A row has one column at least.
 */
export function* brokenRows<One extends Measured>(
  line: Iterable<One>,
  columns: number,
): Generator<readonly One[]> {
  // A row without a column would have no end.
  const room = Math.max(1, columns);
  let row: One[] = [];
  let used = 0;
  let breakAt = 0;
  let isBroken = false;
  for (const cell of line) {
    const last = row.at(-1);
    const shown = cell.width > room ? { ...cell, text: "…", width: 1 } : cell;
    if (last !== undefined && mayBreak(last, shown)) breakAt = row.length;
    while (used + shown.width > room) {
      const at = shown.text === " " || breakAt === 0 ? row.length : breakAt;
      yield row.slice(0, at);
      row = row.slice(at);
      used = row.reduce((sum, { width }) => sum + width, 0);
      breakAt = 0;
      isBroken = true;
    }
    if (isBroken && used === 0 && shown.text === " ") continue;
    row.push(shown);
    used += shown.width;
  }
  if (row.length > 0 || !isBroken) yield row;
}

/** Characters that begin no line: closing marks of East Asian text. */
const CLOSING = /^[，。！？；：、）】》」』”’…％]/u;
const OPENING = /^[（【《「『“‘]/u;

/** Reports if a line may be broken between two characters: between words, or beside a wide one. */
export function mayBreak(before: Measured, after: Measured): boolean {
  if (before.text === " ") return after.text !== " ";
  const wide = before.width === 2 || after.width === 2;
  return wide && after.text !== " " && !CLOSING.test(after.text) && !OPENING.test(before.text);
}

const PLAIN = /^[\u0020-\u007e]*$/;
export const RESET = "\u001b[0m";

/** The characters of a line, and its changes of colour. */
export function* cellsOf(line: string): Generator<Cell> {
  for (const part of line.split(COLOUR)) {
    if (part.startsWith("\u001b")) yield { text: part, width: 0, colour: true, length: part.length };
    else yield* charactersOf(part);
  }
}

/**
 * Simple characters, by ranges: Latin, Greek and Cyrillic text, frames and arrows, one column wide; East Asian text,
 * two wide.
 */
const NARROW =
  "\\u0020-\\u007e\\u00a1-\\u00ac\\u00ae-\\u02ff\\u0370-\\u0377\\u0384-\\u0386\\u0388-\\u038a\\u038e-\\u03a1\\u03a3-\\u0482\\u048a-\\u052f\\u2010-\\u2027\\u2190-\\u21ff\\u2500-\\u257f\\u25cb-\\u25d3\\u2610\\u2714\\u276f";
const WIDE =
  "\\u3001-\\u3029\\u3041-\\u3096\\u309b-\\u30ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uac00-\\ud7a3\\uff01-\\uff60";
const FIRST_WIDE = "\u3001";

/** The pattern of one simple character. */
export const SIMPLE_CHARACTER = `[${NARROW}${WIDE}]`;

/** True for a simple character that is two columns wide. */
export const isWide = (character: string): boolean => character >= FIRST_WIDE;

/** A run of simple characters, without the last if a mark may follow. Bounded, as the engine has a stack for each run. */
const SIMPLE = `[${NARROW}${WIDE}]{1,4096}(?=[${NARROW}${WIDE}]|$)`;

/** The UTF-16 units segmented at a time, and those left for the next time, so that no character is torn. */
const LOOK = 256;
const LEFT = 64;

/**
 * Splits a text into characters. Most texts are simple: only the parts around other characters go to the slow
 * segmenter.
 */
export function* charactersOf(text: string): Generator<Cell> {
  const simple = new RegExp(SIMPLE, "y");
  for (let at = 0; at < text.length; ) {
    simple.lastIndex = at;
    const run = simple.exec(text)?.[0] ?? "";
    for (const one of run) yield { text: one, width: isWide(one) ? 2 : 1, colour: false, length: 1 };
    at += run.length;
    const end = at + LOOK < text.length ? at + LOOK - LEFT : text.length;
    for (const { segment } of at < end ? segmentsOf(text.slice(at, at + LOOK)) : []) {
      const one = segment.length > CHARACTER_LENGTH ? shortened(segment) : segment;
      yield { text: one, width: stringWidth(one), colour: false, length: segment.length };
      at += segment.length;
      if (at >= end) break;
    }
  }
}

const shortened = (character: string) => character.slice(0, CHARACTER_LENGTH).replace(/[\ud800-\udbff]$/, "");

/** Updates the active colours after a change. The colours of {@link Paint} are nested. */
export function follow(colours: string[], change: string): void {
  const code = Number.parseInt(change.slice(2), 10) || 0;
  if (code === 0) colours.length = 0;
  else if ((code >= 20 && code < 30) || code === 39 || code === 49) colours.pop();
  else colours.push(change);
}
