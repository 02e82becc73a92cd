/** The newest entries of a table: at least `least`, at most twice as many. Old entries go a generation at a time. */
export class Remembered<T> {
  readonly #least: number;
  /** Outside the tables, as many have one entry alone: 180 bytes less for each turn, and for a session's first question. */
  #newestKey: string | undefined;
  #newest: T | undefined;
  #recent: Map<string, T> | undefined;
  #older: Map<string, T> | undefined;

  constructor(least: number) {
    this.#least = least;
  }

  get(key: string): T | undefined {
    return key === this.#newestKey ? this.#newest : (this.#recent?.get(key) ?? this.#older?.get(key));
  }

  set(key: string, value: T): void {
    if (this.#newestKey !== undefined && this.#newestKey !== key) {
      this.#recent ??= new Map();
      this.#recent.set(this.#newestKey, this.#newest as T);
      this.#recent.delete(key);
    }
    this.#newestKey = key;
    this.#newest = value;
    const recent = this.#recent;
    if ((recent?.size ?? 0) + 1 < this.#least) return;
    this.#older = (recent ?? new Map<string, T>()).set(key, value);
    this.#recent = undefined;
    this.#newestKey = undefined;
    this.#newest = undefined;
  }
}
