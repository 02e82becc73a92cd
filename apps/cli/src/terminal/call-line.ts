import { callHint } from "./call-hint.js";
import type { Paint } from "./paint.js";
import { visibleLine } from "./visible-text.js";

/** The line of a tool call while it is the last on the output: its name, then what it is about. */
export interface CallLine {
  /** What it begins with. */
  readonly name: string;
  /** What more of its arguments adds. A line feed at its end ends the line. */
  more(text: string | null): string;
  /** What ends it before something else is written: then only what a `card` does not show stays. */
  end(card: boolean): string;
}

/**
 * What a call asks is there while it comes, in one row, where a line can be drawn again: all of it comes in the card. A
 * call that asks in words of its own alone, and has no card, shows them like any other.
 *
 * @param columns of the terminal; undefined where a line cannot be drawn again.
 */
export function callLine(tool: string, paint: Paint, columns: number | undefined): CallLine {
  const hint = callHint();
  const bullet = `• ${visibleLine(tool)}`;
  const name = paint("dim", bullet);
  const room = columns === undefined ? 0 : columns - width(bullet) - width("…") - 1;
  /** What the row has of the question. */
  let shown = "";
  let full = false;
  let about = "";

  const rest = (text: string) => (text === "" ? "\n" : `${paint("dim", ` ${text}`)}\n`);

  function grow(question: string): string {
    const text = question === "" ? "" : ` ${question}`;
    const fitting = fit(text, room);
    if (full || room < 1 || fitting.length <= shown.length) return "";
    full = fitting !== text;
    const piece = fitting.slice(shown.length);
    shown = fitting;
    return paint("dim", full ? `${piece}…` : piece);
  }

  return {
    name,
    more(text) {
      const whole = hint.more(text);
      if (hint.question === undefined) return whole === undefined ? "" : rest(whole);
      about = whole ?? "";
      return grow(hint.question);
    },
    end: (card) => `${shown === "" ? "" : `\r\u001b[K${name}`}${rest(card ? "" : about)}`,
  };
}

/** As much of a text as has room. */
function fit(text: string, room: number): string {
  let end = 0;
  let taken = 0;
  for (const c of text) {
    taken += width(c);
    if (taken > room) break;
    end += c.length;
  }
  return text.slice(0, end);
}

/** Columns that a text takes at most: characters beyond the alphabets of Europe and the Near East may be wide. */
function width(text: string): number {
  let columns = 0;
  for (const c of text) columns += c === "\t" ? TAB : (c.codePointAt(0) as number) < 0x1100 ? 1 : 2;
  return columns;
}

const TAB = 8;
