/** The size of a value in UTF-16 units: about as many as its JSON text has, without making one. */
export function unitsOf(value: unknown): number {
  if (typeof value === "string") return value.length + 2;
  if (typeof value !== "object" || value === null) return 8;
  let units = 2;
  // With Object.entries it takes four times as long.
  if (Array.isArray(value)) for (const inner of value) units += 1 + unitsOf(inner);
  else for (const name in value) units += name.length + 4 + unitsOf((value as Record<string, unknown>)[name]);
  return units;
}

/** The bounds of a {@link Room}. */
export interface RoomBounds {
  readonly count: number;
  /** UTF-16 units of all together. */
  readonly units: number;
}

/** The bounds in words, such as for an error: "more than 1000 answers, or 64 Mi characters of them,". */
export const moreThan = ({ count, units }: RoomBounds, things: string): string =>
  `more than ${count} ${things}, or ${units / 1_048_576} Mi characters of them,`;

/** A room for things that wait, with a limit of their number and of their total size. One alone always fits. */
export class Room {
  readonly #most: RoomBounds;
  #count = 0;
  #units = 0;

  constructor(most: RoomBounds) {
    this.#most = most;
  }

  /** True while more is in it than it holds. */
  get isOver(): boolean {
    return this.#count > 1 && (this.#count > this.#most.count || this.#units > this.#most.units);
  }

  /** Takes a thing of this size in. False where it does not fit: nothing is taken then. */
  take(units: number): boolean {
    this.put(units);
    if (!this.isOver) return true;
    this.leave(units);
    return false;
  }

  /** Takes a thing of this size in, whether it fits or not. */
  put(units: number): void {
    this.#count += 1;
    this.#units += units;
  }

  /** A thing of this size has left. */
  leave(units: number): void {
    this.#count -= 1;
    this.#units -= units;
  }
}
