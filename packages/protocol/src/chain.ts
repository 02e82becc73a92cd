/** What can be in one {@link Chain} at a time. */
export abstract class Link<T extends Link<T>> {
  previous: T | undefined;
  next: T | undefined;
  chain: Chain<T> | undefined;
}

/**
 * Items in the order in which they were added, none of which is looked up by a key. Adding and removing cost the same
 * however many there are; a large `Set` is copied whole from time to time.
 */
export class Chain<T extends Link<T>> {
  #first: T | undefined;
  #last: T | undefined;
  #size = 0;

  /** How many items there are. */
  get size(): number {
    return this.#size;
  }

  /** Adds an item as the last one; it must be in no chain. */
  add(item: T): void {
    item.chain = this;
    item.previous = this.#last;
    if (this.#last === undefined) this.#first = item;
    else this.#last.next = item;
    this.#last = item;
    this.#size += 1;
  }

  /** False if it was not in this chain. */
  remove(item: T): boolean {
    if (item.chain !== this) return false;
    const { previous, next } = item;
    if (previous === undefined) this.#first = next;
    else previous.next = next;
    if (next === undefined) this.#last = previous;
    else next.previous = previous;
    item.chain = undefined;
    item.previous = undefined;
    item.next = undefined;
    this.#size -= 1;
    return true;
  }

  /** The items, oldest first, as they are now. */
  items(): T[] {
    const items: T[] = [];
    for (let item = this.#first; item !== undefined; item = item.next) items.push(item);
    return items;
  }
}
