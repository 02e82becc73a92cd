import { columnsTaken, fitting } from "../device/columns-taken.js";
import type { Paint } from "../device/paint.js";

/** The UTF-16 units read for a column. Questions may be long, and come in many pieces. */
const UNITS_A_COLUMN = 4;

/** The unfinished row of a tool call, whose text grows or is drawn again. */
export class TerminalCallRow {
  readonly #paint: Paint;
  /** The columns for a text that is drawn again; 0 if none can be. */
  readonly room: number;
  #text = "";
  /** The text that was to be fitted in, whole. */
  #whole = "";

  constructor(paint: Paint, room: number) {
    this.#paint = paint;
    this.room = room;
  }

  get isEmpty(): boolean {
    return this.#text === "";
  }

  /** Changes the text. Returns the bytes for that, only of the missing part if possible. */
  become(text: string): string {
    const last = this.#text;
    this.#text = text;
    if (!text.startsWith(last)) return `\r\u001b[K${this.#paint("dim", text)}`;
    return text === last ? "" : this.#paint("dim", text.slice(last.length));
  }

  /** Changes the text, cut to the room. */
  fit(text: string): string {
    if (text === this.#whole) return "";
    this.#whole = text;
    const begin = text.slice(0, UNITS_A_COLUMN * this.room);
    const fits = begin === text && columnsTaken(text) <= this.room;
    return this.become(fits ? text : `${fitting(begin, this.room - columnsTaken("…"))}…`);
  }

  /** Changes the text, and ends the row. */
  end(text: string): string {
    return `${this.become(text.trimEnd())}\n`;
  }
}
