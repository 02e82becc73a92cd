/** The newest entries of a table: `least` of them at least, twice as many at most, let go of a generation at a time. */
export class Remembered<T> {
  readonly #least: number;
  #recent: Map<string, T> | undefined;
  #older: Map<string, T> | undefined;

  constructor(least: number) {
    this.#least = least;
  }

  get(key: string): T | undefined {
    return this.#recent?.get(key) ?? this.#older?.get(key);
  }

  set(key: string, value: T): void {
    this.#recent ??= new Map();
    this.#recent.set(key, value);
    if (this.#recent.size < this.#least) return;
    this.#older = this.#recent;
    this.#recent = undefined;
  }
}
