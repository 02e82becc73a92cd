import { visibleLine } from "@askwire/client/text";
import type { ChatWords } from "@askwire/client/words";
import { columnsTaken } from "../device/columns-taken.js";
import type { Paint } from "../device/paint.js";
import { type AskedByCall, askingTitle } from "./asked-by-call.js";
import { CallHint, isNamedBy } from "./call-hint.js";
import { TerminalCallRow } from "./call-row.js";

const BULLET = "• ";

/**
 * The line of a tool call while it is the last of the output: its name, then its subject. On a line that can be drawn
 * again, the question of a call shows in one row while it comes; the card shows it all.
 * A complete call has a title instead of its name, or behind it, with the questions if nothing else shows them
 * (L-44).
 */
export class CallLine {
  readonly #words: ChatWords;
  readonly #hint: CallHint;
  readonly #name: string;
  readonly #row: TerminalCallRow;
  #asked: AskedByCall | undefined;
  /** The text in front of the title of the questions. */
  #lead = BULLET;
  /** The subject of a call whose questions did not come whole. */
  #about = "";
  /** The subject as the line tells it. */
  #told = "";

  /** @param columns of the terminal; undefined for a line that cannot be drawn again. */
  constructor(tool: string, paint: Paint, words: ChatWords, columns: number | undefined) {
    this.#words = words;
    this.#hint = new CallHint(tool);
    this.#name = `${BULLET}${visibleLine(tool)}`.trimEnd();
    const hasRoom = columns !== undefined && columnsTaken(this.#name) < columns;
    this.#row = new TerminalCallRow(paint, hasRoom ? columns - 1 : 0);
  }

  /** Reports if the line tells a text. */
  tells(text: string): boolean {
    return isNamedBy(`${this.#name} ${this.#told}`, text);
  }

  /** The text to write for more arguments, first with the tool's name. A line feed at its end ends the line. */
  more(text: string | null): string {
    const whole = this.#hint.more(text);
    const { asked, question } = this.#hint;
    if (asked !== undefined) this.#asks(asked);
    if (this.#asked !== undefined) return this.#showAsked(this.#asked);
    if (question === undefined)
      return whole === undefined ? this.#row.become(this.#name) : this.#row.end(this.#nameWith(whole));
    this.#about = whole ?? "";
    return this.#showBegun(question);
  }

  /** The text that ends the line before other output. With a `card` only the parts stay that the card does not show. */
  end(card: boolean): string {
    // Behind a name the title says nothing more than the card.
    if (this.#asked === undefined || (card && this.#lead !== BULLET))
      return this.#row.end(this.#nameWith(card ? "" : this.#about));
    return this.#row.end(this.#lead + askingTitle(this.#asked, this.#words, !card));
  }

  #nameWith(about: string): string {
    if (about !== "") this.#told = about;
    return isNamedBy(this.#name, about) ? `${this.#name} ` : `${this.#name} ${about}`;
  }

  #asks(asked: AskedByCall): void {
    if (this.#asked === undefined && this.#row.room === 0 && !this.#row.isEmpty)
      this.#lead = `${this.#name} `;
    this.#asked = asked;
  }

  #showAsked(asked: AskedByCall): string {
    if (this.#row.room > 0) return this.#row.fit(this.#lead + askingTitle(asked, this.#words, true));
    return this.#row.isEmpty ? this.#row.become(this.#lead + this.#words.hasQuestions(asked.count)) : "";
  }

  #showBegun(question: string): string {
    if (this.#row.room === 0) return this.#row.become(this.#name);
    return this.#row.fit(`${this.#name} ${question}`.trimEnd());
  }
}
