import { LocalError } from "@askwire/protocol";
import { moreThan, Room, unitsOf } from "@askwire/protocol/internal";

/** The most events that may wait for a slow reader, and the UTF-16 units of all. */
const MOST_WAITING = { count: 65_536, units: 64 * 1_048_576 };
/** Events that wait before their sizes are looked at: a reader that keeps up never costs more. */
const UNMEASURED = 16;

/**
 * A bounded queue with one reader. After an overflow the reader gets the queued events, then an error. No event is
 * dropped silently.
 */
export class EventQueue<T> implements AsyncIterable<T> {
  readonly #items: T[] = [];
  /** The sizes of the items: 0 of those that were not measured. */
  readonly #units: number[] = [];
  readonly #room = new Room(MOST_WAITING);
  #head = 0;
  #end: { error?: unknown } | undefined;
  #wake: (() => void) | undefined;
  #taken = false;

  push(item: T): void {
    if (this.#end !== undefined) return;
    const units = this.#items.length - this.#head < UNMEASURED ? 0 : unitsOf(item);
    if (!this.#room.take(units)) {
      const next = "read the turn's events as they come, or do not iterate";
      const text = `${moreThan(MOST_WAITING, "events")} wait to be read: ${next}`;
      return this.end(new LocalError("INVALID_STATE", text));
    }
    this.#items.push(item);
    this.#units.push(units);
    this.#wake?.();
  }

  /** Ends the queue. The reader gets the error, if there is one, after the last item. */
  end(error?: unknown): void {
    this.#end ??= error === undefined ? {} : { error };
    this.#wake?.();
  }

  /** @throws LocalError INVALID_STATE if the queue has a reader already. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    if (this.#taken) throw new LocalError("INVALID_STATE", "these events have a reader already");
    this.#taken = true;
    for (;;) {
      while (this.#head < this.#items.length) {
        const item = this.#items[this.#head] as T;
        this.#room.leave(this.#units[this.#head] ?? 0);
        this.#head += 1;
        if (this.#head === 1024) {
          this.#items.splice(0, this.#head);
          this.#units.splice(0, this.#head);
          this.#head = 0;
        }
        yield item;
      }
      if (this.#end !== undefined) {
        if ("error" in this.#end) throw this.#end.error;
        return;
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
  }
}
