import { rowsIn } from "../device/fitted-text.js";

/** A line of other text that has no end yet. */
export interface HalfLine {
  readonly text: string;
  /** Takes a text. Returns the lines that it completes. */
  take(text: string): string;
  /** Ends the line here and returns it, or "" if there is none. The line feed that would have ended it is dropped. */
  end(): string;
  /** The last rows of the line that fit. The other rows become whole lines and leave the line. */
  fit(columns: number, room: number): { readonly rows: readonly string[]; readonly above: string };
}

/** The most characters of a line without an end; a longer line is ended there. */
const MOST_HELD = 65_536;
/** Begins the line of the cursor anew. */
const AGAIN = "\r\u001b[K";

export function halfLine(): HalfLine {
  let line = "";
  let wasEnded = false;

  function end(): string {
    if (line === "") return "";
    const ended = `${line}\n`;
    line = "";
    wasEnded = true;
    return ended;
  }

  return {
    get text() {
      return line;
    },
    take(all) {
      const text = wasEnded && all.startsWith("\n") ? all.slice(1) : all;
      wasEnded = false;
      const endAt = text.lastIndexOf("\n") + 1;
      // A growing line in many pieces is not searched again with each piece.
      const joined = text.includes(AGAIN) ? drawnAgain : (same: string) => same;
      const whole = endAt === 0 ? "" : joined(line + text.slice(0, endAt));
      line = joined(endAt === 0 ? line + text : text.slice(endAt));
      return line.length > MOST_HELD ? whole + end() : whole;
    },
    end,
    fit(columns, room) {
      if (line === "" || room < 1) return { rows: [], above: "" };
      const all = rowsIn(line, columns);
      const rows = all.slice(-room);
      if (rows.length === all.length) return { rows, above: "" };
      line = rows.join("");
      const above = all.slice(0, -room).map((row) => `${row}\n`);
      return { rows, above: above.join("") };
    },
  };
}

/** Drops the text that stood on the line before it was begun anew. */
const drawnAgain = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.split(AGAIN).at(-1))
    .join("\n");
