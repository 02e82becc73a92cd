import { OrderedRows } from "../runtime/ordered-rows.js";

/** The sessions of a server, as far as rows are made of them. */
export interface RowSource<Row> {
  /** The order of the rows: 0 for one and the same row alone. */
  readonly compare: (left: Row, right: Row) => number;
  /** The ids of all sessions that there are. */
  readonly ids: () => Iterable<string>;
  /** The rows of a session as they are now; none for one that is gone. */
  readonly rowsOf: (id: string) => readonly Row[];
  /** Calls `changed` with the id of each session whose rows may be others than before. */
  readonly watch: (changed: (id: string) => void) => () => void;
  /** Told of the rows that come and go. Default: nobody is. */
  readonly noted?: (row: Row, by: 1 | -1) => void;
}

/** Changed sessions whose rows are not made anew before somebody looks, at most. */
const MOST_CHANGED = 1_024;

/**
 * The rows of all sessions of a server in one order. They are made once, when they are first looked at, and from then on
 * those of changed sessions alone, at the next look.
 */
export class RowsOfSessions<Row> {
  readonly #source: RowSource<Row>;
  readonly #ordered: OrderedRows<Row>;
  readonly #byId = new Map<string, readonly Row[]>();
  readonly #changed = new Set<string>();
  #isWatching = false;

  constructor(source: RowSource<Row>) {
    this.#source = source;
    this.#ordered = new OrderedRows(source.compare);
  }

  /** The rows of one session. They are the same objects until the session changes. */
  of(id: string): readonly Row[] {
    this.look();
    return this.#byId.get(id) ?? [];
  }

  /** The rows in their order, as {@link OrderedRows.from} gives them. */
  from(isBehind?: (row: Row) => boolean): Generator<Row, void, undefined> {
    this.look();
    return this.#ordered.from(isBehind);
  }

  /** Makes the rows of changed sessions anew. */
  look(): void {
    if (!this.#isWatching) {
      this.#isWatching = true;
      this.#source.watch((id) => this.#mark(id));
      for (const id of this.#source.ids()) this.#read(id);
    }
    for (const id of this.#changed) this.#read(id);
    this.#changed.clear();
  }

  #mark(id: string): void {
    this.#changed.add(id);
    // The set is bounded even while nobody looks at the list.
    if (this.#changed.size > MOST_CHANGED) this.look();
  }

  #read(id: string): void {
    const { noted = () => {}, rowsOf } = this.#source;
    for (const row of this.#byId.get(id) ?? []) {
      this.#ordered.delete(row);
      noted(row, -1);
    }
    const rows = rowsOf(id);
    for (const row of rows) {
      this.#ordered.add(row);
      noted(row, 1);
    }
    if (rows.length === 0) this.#byId.delete(id);
    else this.#byId.set(id, rows);
  }
}
