/**
 * A map whose values are released as soon as they are deleted. V8 keeps the tables that a long-lived `Map` has
 * outgrown, with all that was in them, until a major collection: with many short requests that is most of the
 * garbage collector's work. What it keeps here is empty cells.
 */
export class Cells<V extends object> {
  /** Made with the first value: most connections and sessions have none for most of their time. */
  #cells: Map<string, { value: V | undefined }> | undefined;

  /** How many values there are. */
  get size(): number {
    return this.#cells?.size ?? 0;
  }

  get(key: string): V | undefined {
    return this.#cells?.get(key)?.value;
  }

  has(key: string): boolean {
    return this.#cells?.has(key) ?? false;
  }

  set(key: string, value: V): void {
    this.#cells ??= new Map();
    this.#cells.set(key, { value });
  }

  /** False if there was none. */
  delete(key: string): boolean {
    return this.take(key) !== undefined;
  }

  /** Deletes a value and returns it. */
  take(key: string): V | undefined {
    const cell = this.#cells?.get(key);
    if (cell === undefined) return undefined;
    const { value } = cell;
    cell.value = undefined;
    this.#cells?.delete(key);
    return value;
  }

  /** The values, oldest first. */
  values(): V[] {
    return this.#cells === undefined ? [] : [...this.#cells.values()].map((cell) => cell.value as V);
  }
}
