import { cut, RESET, widthOf, withoutTabs, wrapped } from "./fitted-text.js";
import { KeptMeasures } from "./kept-measures.js";

/** The functions that measure texts. */
const measuring = { widthOf, withoutTabs, cut, wrapped };

/** Texts fitted into columns. Each is measured once as long as frame after frame shows it. */
export class MeasuredTexts {
  readonly #widths: KeptMeasures<number>;
  readonly #tabless: KeptMeasures<string>;
  readonly #cuts: KeptMeasures<string>;
  readonly #wrapped: KeptMeasures<Iterable<string>>;

  constructor({ widthOf, withoutTabs, cut, wrapped } = measuring) {
    this.#widths = new KeptMeasures(widthOf);
    this.#tabless = new KeptMeasures(withoutTabs);
    this.#cuts = new KeptMeasures(cut);
    this.#wrapped = new KeptMeasures((text, columns) => keptLines(wrapped(text, columns)));
  }

  /** Begins a frame: what neither the last frame nor this one shows is forgotten. */
  next(): void {
    for (const kept of [this.#widths, this.#tabless, this.#cuts, this.#wrapped]) kept.next();
  }

  /** The number of columns of a text; colours take none. */
  widthOf(text: string): number {
    return this.#widths.of(text);
  }

  /** A line with blanks instead of tabs. */
  withoutTabs(line: string): string {
    return this.#tabless.of(line);
  }

  /** A line up to the room for it, with `…` at the cut. */
  cut(line: string, columns: number): string {
    return this.#cuts.of(line, columns);
  }

  /** A line with `…` at its end even if the whole line fits, since more follows elsewhere. */
  cutShort(line: string, columns: number): string {
    const ends = line.endsWith("…") || line.endsWith(`…${RESET}`);
    return this.cut(ends || columns < 2 ? line : `${line}…`, columns);
  }

  /** A line cut or filled with blanks to exactly this width. */
  filled(line: string, columns: number): string {
    const text = this.cut(line, columns);
    return text + " ".repeat(Math.max(0, columns - this.widthOf(text)));
  }

  /** The lines of a text at this width, made on demand. */
  wrapped(text: string, columns: number): Iterable<string> {
    return this.#wrapped.of(text, columns);
  }
}

/** Lines that can be read again, each made when it is first read. */
function keptLines(lines: Iterator<string>): Iterable<string> {
  const made: string[] = [];
  return {
    *[Symbol.iterator]() {
      for (let at = 0; ; at += 1) {
        if (at === made.length) {
          const { done, value } = lines.next();
          if (done) return;
          made.push(value);
        }
        yield made[at] as string;
      }
    },
  };
}
