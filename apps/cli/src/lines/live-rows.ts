import { rowsOfLine } from "../device/wrapped-rows.js";
import { inkIn, withoutInk } from "./ink.js";

/** A text that grows, as rows. */
export interface Growing {
  /** Its rows that are not written yet, of which the first `firm` stay as they are. */
  rows(columns: number): { readonly rows: readonly string[]; readonly firm: number };
  /** The firm rows have been written. */
  wrote(): void;
}

/** The rows between the lines that stay and the prompt, and below the prompt, while they may still change. */
export interface Live {
  /** The text that grows. Undefined while none does. */
  readonly text: Growing | undefined;
  /** The rows of what runs, as many as there is room for. */
  work(columns: number, room: number): readonly string[];
  /** The row below the prompt. Undefined where there is nothing to say. */
  status(columns: number): string | undefined;
}

/** The most characters by which rows may differ from those that left the window, and are still the same rows. */
const SLACK = 4;

/**
 * The fewest columns at which rows that may change still fit in the window: half of its columns, within these bounds. A
 * terminal that becomes narrower wraps what it shows, and what then leaves the window can neither be erased nor be
 * counted: it would stand there twice.
 */
const NARROWEST = { least: 20, most: 40 };

/** The rows of a line in a window of so many columns that becomes narrower. */
export const rowsIfNarrow = (line: string, columns: number): number =>
  rowsOfLine(line, Math.min(NARROWEST.most, Math.max(NARROWEST.least, Math.floor(columns / 2))));

/** Rows that stay, as lines, and those that may still change. */
export interface Taken {
  readonly above: string;
  readonly rows: readonly string[];
}

/**
 * Cuts a growing text into lines that stay and rows that may change. Rows without room in the window stay as well:
 * what is shown later begins behind them, at any width.
 */
export class LeavingRows {
  /**
   * The characters and rows that have left although they might have changed, and the columns then. `isWhole` is false if
   * the last of these rows was the last of all: it may have grown since.
   */
  #left = { ink: 0, rows: 0, columns: 0, isWhole: true };

  /**
   * @param room the rows that there is room for, in a narrow window as well.
   * @param mayGrow the most rows that a narrow window may add.
   */
  take(text: Growing, columns: number, room: number, mayGrow = Number.MAX_SAFE_INTEGER): Taken {
    const { rows, firm } = text.rows(columns);
    const firmInk = inkIn(rows.slice(0, firm));
    const goOn = this.#withoutLeft(rows, columns);
    const gone = rows.length - goOn.length;
    const staying = Math.max(0, firm - gone);
    const firmRows = goOn.slice(0, staying);
    const changing = goOn.slice(staying);
    if (firm > 0) {
      text.wrote();
      const ink = Math.max(0, this.#left.ink - firmInk);
      this.#left = { ...this.#left, ink, rows: Math.max(0, gone - firm), columns };
    }
    const over = changing.length - fitting(changing, columns, room, mayGrow);
    if (over > 0) {
      const { ink } = this.#left;
      const before = Math.max(0, gone - firm);
      const isWhole = over < changing.length;
      this.#left = { ink: ink + inkIn(changing.slice(0, over)), rows: before + over, columns, isWhole };
    }
    const above = [...firmRows, ...changing.slice(0, over)].map((row) => `${row}\n`).join("");
    return { above, rows: changing.slice(over) };
  }

  /** All rows of a text that has ended, as lines. */
  end(text: Growing, columns: number): string {
    const { rows } = text.rows(columns);
    const lines = this.#withoutLeft(rows, columns).map((row) => `${row}\n`);
    this.#left = { ink: 0, rows: 0, columns, isWhole: true };
    text.wrote();
    return lines.join("");
  }

  #withoutLeft(rows: readonly string[], columns: number): readonly string[] {
    const { ink, rows: count, columns: before, isWhole } = this.#left;
    if (ink === 0) return rows;
    const isSame = isWhole && before === columns && Math.abs(inkIn(rows.slice(0, count)) - ink) <= SLACK;
    return isSame ? rows.slice(count) : withoutInk(rows, ink);
  }
}

/** The number of the last rows that have room. With any room, the last one has. */
function fitting(rows: readonly string[], columns: number, room: number, mayGrow: number): number {
  let used = 0;
  for (let count = 0; count < Math.min(rows.length, room); count += 1) {
    used += rowsIfNarrow(rows.at(-1 - count) ?? "", columns);
    if (used > room || used - count - 1 > mayGrow) return Math.max(1, count);
  }
  return Math.min(rows.length, room);
}
