/** The newest entries of a table: at least `least`, at most twice as many. Old entries go a generation at a time. */
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
    const recent = this.#recent ?? new Map<string, T>();
    recent.set(key, value);
    const isFull = recent.size >= this.#least;
    if (isFull) this.#older = recent;
    this.#recent = isFull ? undefined : recent;
  }
}
