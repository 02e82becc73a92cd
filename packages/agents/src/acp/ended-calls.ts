/** The most ended calls whose late news are passed over. */
const MOST_ENDED = 1_000;

/** The ids of an agent's last calls that have ended. They outlive the scene: news of them come late. */
export class EndedCalls {
  readonly #ids = new Set<string>();

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  add(id: string): void {
    this.#ids.add(id);
    const [oldest] = this.#ids;
    if (this.#ids.size > MOST_ENDED && oldest !== undefined) this.#ids.delete(oldest);
  }

  delete(id: string): void {
    this.#ids.delete(id);
  }
}
