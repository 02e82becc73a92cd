import { LocalError } from "@askwire/protocol";

/** The most events that may wait for a slow reader. */
const LIMIT = 65_536;

/**
 * A bounded queue with one reader. After an overflow the reader gets the queued events, then an error. No event is
 * dropped silently.
 */
export class EventQueue<T> implements AsyncIterable<T> {
  readonly #items: T[] = [];
  #head = 0;
  #end: { error?: unknown } | undefined;
  #wake: (() => void) | undefined;
  #taken = false;

  push(item: T): void {
    if (this.#end !== undefined) return;
    if (this.#items.length - this.#head >= LIMIT) {
      const text = `more than ${LIMIT} events wait to be read: read the turn's events as they come, or do not iterate`;
      return this.end(new LocalError("INVALID_STATE", text));
    }
    this.#items.push(item);
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
        this.#head += 1;
        if (this.#head === 1024) {
          this.#items.splice(0, this.#head);
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
