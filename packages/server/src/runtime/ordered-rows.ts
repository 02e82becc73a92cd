/** Rows of one part before it is cut in two. */
const MOST_IN_PART = 512;

/**
 * Rows in an order, of which single ones come and go: as sorted parts of some hundred rows, so that a change moves only
 * those of its part.
 */
export class OrderedRows<Row> {
  readonly #compare: (left: Row, right: Row) => number;
  /** None of them is empty. */
  readonly #parts: Row[][] = [];

  /** @param compare gives 0 for one and the same row alone. */
  constructor(compare: (left: Row, right: Row) => number) {
    this.#compare = compare;
  }

  get first(): Row | undefined {
    return this.#parts[0]?.[0];
  }

  add(row: Row): void {
    const notBefore = (other: Row) => this.#compare(other, row) >= 0;
    const last = Math.max(0, this.#parts.length - 1);
    const place = Math.min(this.#partWith(notBefore), last);
    const part = this.#parts[place];
    if (part === undefined) {
      this.#parts.push([row]);
      return;
    }
    part.splice(firstIn(part, notBefore), 0, row);
    if (part.length > MOST_IN_PART) this.#parts.splice(place + 1, 0, part.splice(part.length >> 1));
  }

  /** Takes a row out. One that is not there changes nothing. */
  delete(row: Row): void {
    const notBefore = (other: Row) => this.#compare(other, row) >= 0;
    const place = this.#partWith(notBefore);
    const part = this.#parts[place];
    if (part === undefined) return;
    const index = firstIn(part, notBefore);
    const there = part[index];
    if (there === undefined || this.#compare(there, row) !== 0) return;
    part.splice(index, 1);
    if (part.length === 0) this.#parts.splice(place, 1);
  }

  /**
   * The rows in their order. None may come or go meanwhile.
   *
   * @param isBehind true for the first wanted row and for all after it. Default: all are wanted.
   */
  *from(isBehind: (row: Row) => boolean = () => true): Generator<Row, void, undefined> {
    const place = this.#partWith(isBehind);
    let index = firstIn(this.#parts[place] ?? [], isBehind);
    for (const part of this.#parts.slice(place)) {
      for (; index < part.length; index += 1) yield part[index] as Row;
      index = 0;
    }
  }

  /** The index of the first part that has such a row. */
  #partWith(isBehind: (row: Row) => boolean): number {
    return firstIn(this.#parts, (part) => isBehind(part.at(-1) as Row));
  }
}

/** The index of the first of sorted things that fits, as do all behind it; their number where none does. */
export function firstIn<Thing>(things: readonly Thing[], fits: (thing: Thing) => boolean): number {
  let low = 0;
  let high = things.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (fits(things[middle] as Thing)) high = middle;
    else low = middle + 1;
  }
  return low;
}
