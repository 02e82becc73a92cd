/** The most calls kept; a turn that ends early leaves some behind. */
const MOST_TOLD = 256;

/** The calls whose outcome the lines of an answered panel have told. */
export class ToldCalls {
  /** Oldest first. */
  readonly #ids = new Set<string>();

  add(toolCallId: string): void {
    this.#ids.add(toolCallId);
    for (const oldest of this.#ids) {
      if (this.#ids.size <= MOST_TOLD) break;
      this.#ids.delete(oldest);
    }
  }

  /** Forgets a call. Returns false if it was not told. */
  delete(toolCallId: string): boolean {
    return this.#ids.delete(toolCallId);
  }
}
