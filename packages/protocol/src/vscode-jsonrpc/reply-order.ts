/**
 * Lets nothing overtake a reply (P-ENG-3). The library writes a reply some microtasks after its handler's promise has
 * settled, and everything else at once.
 */
export class ReplyOrder {
  readonly #queue: (() => Promise<unknown> | undefined)[] = [];
  #held = false;

  /** @param send sends something; a reply returns the promise that the library waits for, settled. */
  add(send: () => Promise<unknown> | undefined): void {
    this.#queue.push(send);
    this.#go();
  }

  #go(): void {
    while (!this.#held) {
      const reply = this.#queue.shift()?.();
      if (reply !== undefined) this.#hold(reply);
      else if (this.#queue.length === 0) return;
    }
  }

  /** The library waits for the reply by now, or will by the next microtask: what waits after it comes later. */
  #hold(reply: Promise<unknown>): void {
    this.#held = true;
    const written = () => {
      this.#held = false;
      this.#go();
    };
    queueMicrotask(() => reply.then(written, written));
  }
}
