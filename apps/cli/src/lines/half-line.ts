import { rowsIn } from "../device/fitted-text.js";

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
  #pause: NodeJS.Timeout | undefined;

  get text(): string {
    return this.#text;
  }

  /** Takes a text. Returns the lines that it completes. */
  take(all: string): string {
    this.keep();
    const text = this.rest(all);
    const endAt = text.lastIndexOf("\n") + 1;
    // A growing line in many pieces is not searched again with each piece.
    const joined = text.includes(AGAIN) ? drawnAgain : (same: string) => same;
    const whole = endAt === 0 ? "" : joined(this.#text + text.slice(0, endAt));
    this.#text = joined(endAt === 0 ? this.#text + text : text.slice(endAt));
    return this.#text.length > MOST_HELD ? whole + this.end() : whole;
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

  /** The last rows of the line that fit. The other rows become whole lines and leave the line. */
  fit(columns: number, room: number): { readonly rows: readonly string[]; readonly above: string } {
    if (this.#text === "" || room < 1) return { rows: [], above: "" };
    const all = rowsIn(this.#text, columns);
    const rows = all.slice(-room);
    if (rows.length === all.length) return { rows, above: "" };
    this.#text = rows.join("");
    const above = all.slice(0, -room).map((row) => `${row}\n`);
    return { rows, above: above.join("") };
  }
}

/** Drops the earlier text of a line that is begun anew. */
const drawnAgain = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.split(AGAIN).at(-1))
    .join("\n");
