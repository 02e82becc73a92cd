import { columnsTaken, fitting } from "../device/columns-taken.js";
import type { Paint } from "../device/paint.js";
import { visibleLine } from "../device/visible-text.js";
import type { ChatWords } from "../words/chat-words.js";
import { type AskedByCall, askingTitle } from "./asked-by-call.js";
import { callHint } from "./call-hint.js";

/** The line of a tool call while it is the last on the output: its name, then what it is about. */
export interface CallLine {
  /** What more of its arguments adds, the first time with its name. A line feed at its end ends the line. */
  more(text: string | null): string;
  /** What ends it before something else is written: then only what a `card` does not show stays. */
  end(card: boolean): string;
}

/**
 * What a call asks is there while it comes, in one row, where a line can be drawn again: all of it comes in the card. Once
 * it is whole the call has a title in the place of its name, or behind that, with the questions if nothing else shows
 * them (L-44).
 *
 * @param columns of the terminal; undefined where a line cannot be drawn again.
 */
export function callLine(
  tool: string,
  paint: Paint,
  words: ChatWords,
  columns: number | undefined,
): CallLine {
  const hint = callHint(tool);
  const name = `${BULLET}${visibleLine(tool)}`.trimEnd();
  /** Columns that its row may take; 0 where it cannot be drawn again. */
  const room = columns === undefined || columnsTaken(name) >= columns ? 0 : columns - 1;
  /** What is on the row, and what has no room there. */
  let shown = "";
  let inside = "";
  let asked: AskedByCall | undefined;
  /** What stands before the title of what is asked. */
  let lead = BULLET;
  let about = "";

  /** Makes it the row's text, by what is missing of it where that will do. */
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
      // Behind a name the title says nothing that the card does not.
      if (asked === undefined || (card && lead !== BULLET)) return ends(`${name} ${card ? "" : about}`);
      return ends(lead + askingTitle(asked, words, !card));
    },
  };
}

const BULLET = "• ";

/** UTF-16 units that are looked at for a column: what is asked may be long, and comes in many pieces. */
const UNITS_A_COLUMN = 4;
