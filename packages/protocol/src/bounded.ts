/** A map of at most so many entries: a further one takes the place of the oldest. */
export class BoundedMap<K, V> extends Map<K, V> {
  readonly #most: number;

  constructor(most: number) {
    super();
    this.#most = most;
  }

  /** Sets an entry, which keeps its age where the key is there. */
  override set(key: K, value: V): this {
    super.set(key, value);
    if (this.size > this.#most) this.delete(this.keys().next().value as K);
    return this;
  }
}

/** A set of at most so many values: a further one takes the place of the oldest. */
export class BoundedSet<T> extends Set<T> {
  readonly #most: number;

  constructor(most: number) {
    super();
    this.#most = most;
  }

  /** Adds a value, which keeps its age where it is there. */
  override add(value: T): this {
    super.add(value);
    if (this.size > this.#most) this.delete(this.values().next().value as T);
    return this;
  }
}
