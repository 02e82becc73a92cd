import { runningRows } from "../device/running-rows.js";

/** The most characters of a line without an end; a longer line is ended there. */
const MOST_HELD = 65_536;
/** The time that half a line waits for its rest, in milliseconds. */
export const PAUSE_MS = 200;
/** Begins the line of the cursor anew. */
const AGAIN = "\r\u001b[K";

/** A line of other text that has no end yet. */
export class HalfLine {
  #text = "";
  #wasEnded = false;
  /** Set if the line was begun anew, and may be again: none of its rows is the last word. */
  #isDrawnAgain = false;
  #pause: NodeJS.Timeout | undefined;

  get text(): string {
    return this.#text;
  }

  /** Set if a line has begun and may be on the screen. */
  get isGrowing(): boolean {
    return this.#text !== "" && !this.#isDrawnAgain;
  }

  /** Takes a text. Returns the lines that it completes. */
  take(all: string): string {
    this.keep();
    const text = this.rest(all);
    const endAt = text.lastIndexOf("\n") + 1;
    // A growing line in many pieces is not searched again with each piece.
    const isAgain = text.includes(AGAIN);
    const joined = isAgain ? drawnAgain : (same: string) => same;
    const whole = endAt === 0 ? "" : joined(this.#text + text.slice(0, endAt));
    this.#isDrawnAgain = (endAt === 0 && this.#isDrawnAgain) || text.slice(endAt).includes(AGAIN);
    this.#text = joined(endAt === 0 ? this.#text + text : text.slice(endAt));
    return this.#text.length > MOST_HELD ? whole + this.#endAtBlank() : whole;
  }

  /** Ends the line at its last blank. What is behind begins a line. */
  #endAtBlank(): string {
    const at = this.#text.lastIndexOf(" ");
    if (at <= 0) return this.end();
    const rest = this.#text.slice(at + 1);
    const ended = this.#text.slice(0, at);
    this.#text = rest;
    return `${ended}\n`;
  }

  /** A text without the line feed of a line that was ended already. */
  rest(text: string): string {
    const isRest = this.#wasEnded && text.startsWith("\n");
    this.#wasEnded = false;
    return isRest ? text.slice(1) : text;
  }

  /** Ends the line here and returns it, or "" if there is none. The line feed that would have ended it is dropped. */
  end(): string {
    const text = this.release();
    if (text === "") return "";
    this.#wasEnded = true;
    return `${text}\n`;
  }

  /** Takes the text away without ending the line. */
  release(): string {
    this.keep();
    const text = this.#text;
    this.#text = "";
    this.#isDrawnAgain = false;
    return text;
  }

  /** Ends the line after a pause, unless it is called for before. */
  endSoon(ended: (line: string) => void): void {
    this.keep();
    if (this.#text !== "") this.#pause = setTimeout(() => ended(this.end()), PAUSE_MS);
  }

  /** Lets the line stand as long as it takes. */
  keep(): void {
    clearTimeout(this.#pause);
  }

  /**
   * The rows that may still change: the last one, or those that fit of a line that is drawn again. The rows before them
   * become whole lines and leave for good.
   *
   * @param room the most rows.
   */
  fit(columns: number, room: number): { readonly rows: readonly string[]; readonly above: string } {
    if (this.#text === "" || room < 1) return { rows: [], above: "" };
    const all = runningRows(this.#text, columns);
    const rows = all.slice(this.#isDrawnAgain ? -room : -1);
    if (rows.length === all.length) return { rows, above: "" };
    this.#text = rows.join("");
    // Rows that have left have their line feeds.
    this.#wasEnded = this.#text === "";
    const above = all.slice(0, -rows.length).map((row) => `${row}\n`);
    return { rows, above: above.join("") };
  }
}

/** Drops the earlier text of a line that is begun anew. */
const drawnAgain = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.split(AGAIN).at(-1))
    .join("\n");
