import { visibleLine } from "@askwire/client/text";
import { columnsTaken, fitting } from "../device/columns-taken.js";
import type { Paint } from "../device/paint.js";
import type { ChatWords } from "../words/chat-words.js";
import { type AskedByCall, askingTitle } from "./asked-by-call.js";
import { callHint } from "./call-hint.js";

/** The line of a tool call while it is the last of the output: its name, then its subject. */
export interface CallLine {
  /** The text to write for more arguments, first with the tool's name. A line feed at its end ends the line. */
  more(text: string | null): string;
  /** The text that ends the line before other output. With a `card` only the parts stay that the card does not show. */
  end(card: boolean): string;
}

/**
 * Writes the line of a tool call. On a line that can be drawn again, the question of a call shows in one row while it
 * comes; the card shows it all.
 * A complete call has a title instead of its name, or behind it, with the questions if nothing else shows them
 * (L-44).
 *
 * @param columns of the terminal; undefined for a line that cannot be drawn again.
 */
export function callLine(
  tool: string,
  paint: Paint,
  words: ChatWords,
  columns: number | undefined,
): CallLine {
  const hint = callHint(tool);
  const name = `${BULLET}${visibleLine(tool)}`.trimEnd();
  /** The columns for the call's row; 0 for a line that cannot be drawn again. */
  const room = columns === undefined || columnsTaken(name) >= columns ? 0 : columns - 1;
  /** The text of the row, and the text that does not fit. */
  let shown = "";
  let inside = "";
  let asked: AskedByCall | undefined;
  /** The text before the title of the questions. */
  let lead = BULLET;
  let about = "";

  /** Changes the row's text, by writing only the missing part if possible. */
  function become(text: string): string {
    const last = shown;
    shown = text;
    if (!text.startsWith(last)) return `\r\u001b[K${paint("dim", text)}`;
    return text === last ? "" : paint("dim", text.slice(last.length));
  }
  function inRow(text: string): string {
    if (text === inside) return "";
    inside = text;
    const begin = text.slice(0, UNITS_A_COLUMN * room);
    const fits = begin === text && columnsTaken(text) <= room;
    return become(fits ? text : `${fitting(begin, room - columnsTaken("…"))}…`);
  }
  const ends = (text: string) => `${become(text.trimEnd())}\n`;

  function begins(asking: AskedByCall): void {
    if (asked === undefined && room === 0 && shown !== "") lead = `${name} `;
    asked = asking;
  }

  return {
    more(text) {
      const whole = hint.more(text);
      if (hint.asked !== undefined) begins(hint.asked);
      if (asked !== undefined) {
        if (room > 0) return inRow(lead + askingTitle(asked, words, true));
        return shown === "" ? become(lead + words.hasQuestions(asked.count)) : "";
      }
      if (hint.question === undefined) return whole === undefined ? become(name) : ends(`${name} ${whole}`);
      about = whole ?? "";
      return room > 0 ? inRow(`${name} ${hint.question}`.trimEnd()) : become(name);
    },
    end(card) {
      // Behind a name the title says nothing more than the card.
      if (asked === undefined || (card && lead !== BULLET)) return ends(`${name} ${card ? "" : about}`);
      return ends(lead + askingTitle(asked, words, !card));
    },
  };
}

const BULLET = "• ";

/** The UTF-16 units read for a column. Questions may be long, and come in many pieces. */
const UNITS_A_COLUMN = 4;
