import { rowsIn } from "../device/fitted-text.js";

/** The line that others write and that has no end yet. */
export interface HalfLine {
  readonly text: string;
  /** Takes a text. Gives the whole lines that come of it. */
  take(text: string): string;
  /** Ends the line here, and gives it, or "" where there is none. The line feed that was to end it is dropped. */
  end(): string;
  /** The last rows of the line that have room, and the others as whole lines, which leave it. */
  fit(columns: number, room: number): { readonly rows: readonly string[]; readonly above: string };
}

/** Characters of a line without an end; a longer one ends there. */
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
      // A line that grows in many pieces is not searched again with each of them.
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

/** Lines without the text that stood there before they were begun anew. */
const drawnAgain = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.split(AGAIN).at(-1))
    .join("\n");
