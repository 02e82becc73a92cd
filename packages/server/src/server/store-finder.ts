import { LocalError, WireError } from "@askwire/protocol";
import { defined } from "@askwire/protocol/internal";
import { openStored, type StoredOptions } from "../journal/open-stored.js";
import type { SessionStore, SharedRows, StoredQuery, StoredRow } from "../journal/session-store.js";
import type { KeptSession } from "../session/session-options.js";
import { BoundedWaits, WAIT_MS } from "./bounded-waits.js";
import type { KeptFinder } from "./kept-finder.js";

export interface StoreFinderOptions extends StoredOptions {
  readonly store: SessionStore;
  /** The work directory whose sessions are found, and that new ones are kept under. */
  readonly workDir: string;
}

/** Rows that are asked of a store at once, where all are wanted. */
const ROWS_AT_ONCE = 200;
/** Rows of one look, at most. */
const MOST_ROWS = 10_000;

/** The sessions of a store: each call of it ends after 30 s, and with the server. */
export class StoreFinder implements KeptFinder {
  readonly #options: StoreFinderOptions;
  readonly #waits: BoundedWaits;

  constructor(options: StoreFinderOptions) {
    this.#options = options;
    this.#waits = new BoundedWaits(options.clock);
  }

  readonly open = (id: string, workDir = this.#options.workDir): Promise<KeptSession> => {
    const { store } = this.#options;
    const take = async () => openStored(await store.take(id, workDir), this.#options);
    return this.#asked(`session ${id} was not opened`, take, (late) => void late.journal.close());
  };

  async isKept(id: string): Promise<boolean> {
    return typeof (await this.row(id)) === "object";
  }

  readonly row = async (id: string): Promise<StoredRow | "elsewhere" | undefined> => {
    const { store, workDir } = this.#options;
    const row = await this.#asked(`session ${id} was not looked for`, () => store.find(id));
    return row !== undefined && (row.workDir ?? workDir) !== workDir ? "elsewhere" : row;
  };

  canOpen(): boolean {
    return true;
  }

  unfinished(): AsyncIterable<StoredRow> {
    return this.#rows({ unfinished: true, limit: ROWS_AT_ONCE });
  }

  readonly newestFirst = (after: StoredQuery["after"], limit: number): AsyncIterable<StoredRow> =>
    this.#rows({ limit, ...defined({ after }) });

  get shared(): KeptFinder["shared"] {
    const { store, workDir } = this.#options;
    if (store.shared === undefined) return undefined;
    return (look) => this.#waits.for(store.shared?.({ ...look, workDir }) ?? noRows(), tooLate);
  }

  get decisions(): KeptFinder["decisions"] {
    const { store, workDir } = this.#options;
    if (store.decisions === undefined) return undefined;
    const find: NonNullable<typeof store.decisions> = store.decisions.bind(store);
    return (query, signal) =>
      this.#asked("what was decided was not told", () => find({ ...query, workDir }, signal));
  }

  readonly ask = async (): Promise<unknown> => {
    const { store, workDir } = this.#options;
    return store.list({ workDir, limit: 1 });
  };

  end(): void {
    this.#waits.end(new LocalError("CLOSED", `${this.#options.store.name}: the server is closed`));
  }

  async close(): Promise<void> {
    const { store, clock, log } = this.#options;
    try {
      await new BoundedWaits(clock).for(store.close(), tooLate);
    } catch (error) {
      log.error({ store: store.name, error: String(error) }, "the store could not be closed");
    }
  }

  async *#rows(query: StoredQuery): AsyncGenerator<StoredRow> {
    const { store, workDir } = this.#options;
    let wanted: StoredQuery = { ...query, workDir };
    for (let count = 0; count < MOST_ROWS; count += wanted.limit) {
      const rows = await this.#asked("the sessions were not listed", () => store.list(wanted));
      yield* rows;
      const last = rows.at(-1);
      if (last === undefined || rows.length < wanted.limit) return;
      wanted = { ...wanted, after: { activeAt: last.activeAt, id: last.id } };
    }
  }

  /**
   * Asks the store for something.
   *
   * @param failed what is so where it fails, as a sentence.
   * @param late is given what comes once nobody waits for it.
   * @throws WireError InvalidState with the store's own reason, and Overloaded where it cannot be reached; LocalError
   * CLOSED once the server is closed.
   */
  async #asked<T>(failed: string, call: () => Promise<T>, late?: (found: T) => void): Promise<T> {
    const { store, log } = this.#options;
    try {
      return await this.#waits.for(Promise.resolve().then(call), tooLate, late);
    } catch (error) {
      if (error instanceof LocalError && error.code === "INVALID_STATE")
        throw new WireError("InvalidState", error.message, { cause: error });
      if (error instanceof LocalError || error instanceof WireError) throw error;
      log.error({ store: store.name, error: String(error) }, failed);
      const why = `${failed}, as ${store.name} cannot be reached: try again`;
      throw new WireError("Overloaded", why, { data: { limit: "store" }, cause: error });
    }
  }
}

const noRows = async (): Promise<SharedRows> => ({ rows: [], isWhole: false });

const tooLate = () => new Error(`no reply in ${WAIT_MS} ms`);
