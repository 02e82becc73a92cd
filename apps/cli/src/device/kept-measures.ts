/** The most texts that are kept of a frame, and the most UTF-16 units of them. */
const MOST_TEXTS = 4_096;
const MOST_UNITS = 262_144;

/**
 * Measures of texts at a number of columns. Those that the last frame or this one used are kept, up to a bound for each
 * frame.
 */
export class KeptMeasures<Measure> {
  readonly #measure: (text: string, columns: number) => Measure;
  #last = new Map<string, Measure>();
  #now = new Map<string, Measure>();
  #units = 0;

  constructor(measure: (text: string, columns: number) => Measure) {
    this.#measure = measure;
  }

  /** Begins a frame. */
  next(): void {
    this.#last = this.#now;
    this.#now = new Map();
    this.#units = 0;
  }

  of(text: string, columns = 0): Measure {
    const key = `${columns} ${text}`;
    const kept = this.#now.get(key);
    if (kept !== undefined) return kept;
    const measure = this.#last.get(key) ?? this.#measure(text, columns);
    if (this.#now.size < MOST_TEXTS && this.#units + key.length <= MOST_UNITS) {
      this.#now.set(key, measure);
      this.#units += key.length;
    }
    return measure;
  }
}
