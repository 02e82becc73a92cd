import type { AskedWords } from "@askwire/client/words";
import type { Clock } from "../device/clock.js";
import { wrapped } from "../device/fitted-text.js";
import type { Paint } from "../device/paint.js";
import { msLeft } from "./deadline.js";
import type { PanelEntry } from "./open-request.js";
import type { TakenTerminal } from "./taken-terminal.js";

interface Place {
  readonly terminal: Pick<TakenTerminal, "show">;
  readonly paint: Paint;
  readonly words: AskedWords;
  readonly clock: Clock;
}

/** The line in the place of panels that a person has put aside. It counts the first deadline down. */
export class AsideLine {
  readonly #place: Place;
  readonly #open: () => readonly PanelEntry[];
  #isShown = false;
  #stopCounting = () => {};

  constructor(place: Place, open: () => readonly PanelEntry[]) {
    this.#place = place;
    this.#open = open;
  }

  /** Set while the panels are aside. */
  get isShown(): boolean {
    return this.#isShown;
  }

  begin(): void {
    this.#isShown = true;
  }

  end(): void {
    this.#isShown = false;
    this.#stopCounting();
  }

  draw(): void {
    const { terminal, paint, words } = this.#place;
    const text = words.putAside(this.#open().length, this.#secondsLeft());
    terminal.show(({ columns, rows }) => {
      const lines = columns < 1 ? [] : [...wrapped(text, columns)].slice(0, Math.max(0, rows - 1));
      return { lines: lines.map((line) => paint("dim", line)) };
    });
  }

  /** The rest of the first deadline. The line is drawn again a second later. */
  #secondsLeft(): number | undefined {
    const { clock } = this.#place;
    this.#stopCounting();
    const rests = this.#open().flatMap(({ due }) => (due === undefined ? [] : [msLeft(due, clock.now())]));
    if (rests.length === 0) return undefined;
    const left = Math.min(...rests);
    const seconds = Math.ceil(left / 1_000);
    if (seconds > 0)
      this.#stopCounting = clock.after(left - (seconds - 1) * 1_000, () => {
        if (this.#isShown) this.draw();
      });
    return seconds;
  }
}
