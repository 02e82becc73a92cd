/** The sync that the records of a session wait for; undefined where all of them are safe. */
export type Synced = () => Promise<void> | undefined;

interface Held {
  readonly until: Promise<void>;
  readonly actions: (() => void)[];
}

/**
 * Lets actions pass in their order, each once all records that were made before it are safe on disk (P-DUR-5). Where
 * nothing waits, an action passes at once.
 */
export class SyncGate {
  readonly #synced: Synced;
  /** The syncs that are waited for, in their order. */
  #held: Held[] = [];

  constructor(synced: Synced) {
    this.#synced = synced;
  }

  /** True if an action would pass at once. */
  get isOpen(): boolean {
    return this.#held.length === 0 && this.#synced() === undefined;
  }

  /** Settles as the next sync that an action waits for; undefined where none waits. */
  get next(): Promise<void> | undefined {
    return this.#held[0]?.until;
  }

  /** Settles as the last sync that an action waits for. */
  get last(): Promise<void> | undefined {
    return this.#held.at(-1)?.until;
  }

  /** Runs an action now or later; never if the records that it waits for are lost. */
  pass(action: () => void): void {
    const until = this.#synced();
    const last = this.#held.at(-1);
    if (last !== undefined && (until === undefined || until === last.until)) {
      last.actions.push(action);
    } else if (until === undefined) {
      action();
    } else {
      const held = { until, actions: [action] };
      this.#held.push(held);
      until.then(
        () => this.#release(held),
        () => this.drop(),
      );
    }
  }

  /** Runs an action that waits for no record; never where the records are lost, after which nothing is told (P-DUR-8). */
  passAhead(action: () => void): void {
    const until = this.#synced();
    if (until === undefined) return action();
    // Records that are lost already reject at once.
    const isPending = new Promise<void>((resolve) => setImmediate(resolve));
    Promise.race([until, isPending]).then(action, () => {});
  }

  /** Forgets the actions that wait. */
  drop(): void {
    this.#held = [];
  }

  #release(held: Held): void {
    if (this.#held[0] !== held) return;
    // An action may add others, which come after all of these.
    for (const action of held.actions) action();
    this.#held.shift();
  }
}
