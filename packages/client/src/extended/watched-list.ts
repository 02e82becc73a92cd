import { LocalError } from "@askwire/protocol";
import type { AgentPeer } from "../contract/conversation.js";

/** A loop of the user over the lists. */
interface Reader {
  /** True if the list has changed since this reader took it. */
  isBehind: boolean;
  /** The end of the loop; with an error, if the loop is to throw. */
  end?: { readonly error?: unknown };
  /** Lets the reader look again. */
  wake: () => void;
}

type Change<Row> = readonly [rows: readonly Row[], gone: readonly string[]];

/** A list that a server has, and tells the changes of. */
export interface WatchableList<Row> {
  readonly idOf: (row: Row) => string;
  /** Begins a watch, and gives the rows as they are now. */
  readonly watch: (peer: AgentPeer) => Promise<readonly Row[]>;
  readonly unwatch: (peer: AgentPeer) => Promise<unknown>;
}

/**
 * A list of a server as this client knows it while it is watched, over all its connections (P-XSE-5, P-XRQ-3). The
 * loops of the user share one watch. A slow loop skips to the newest list.
 */
export class WatchedList<Row> {
  readonly #list: WatchableList<Row>;
  readonly #readers = new Set<Reader>();
  #peer: AgentPeer | undefined;
  /** The rows by id; undefined until the server has listed them on this connection. */
  #rows: Map<string, Row> | undefined;
  /** True from the moment at which the server is asked to watch. */
  #isAsked = false;
  /** Changes that came before this client has read the list. */
  #early: Change<Row>[] = [];
  /** Resolves once no change of an ended watch is on its way. */
  #unwatched: Promise<unknown> = Promise.resolve();
  #closed: Reader["end"];

  constructor(list: WatchableList<Row>) {
    this.#list = list;
  }

  /** There is a new connection, on which nothing is watched yet. */
  attached(peer: AgentPeer): void {
    this.#peer = peer;
    this.#unwatched = Promise.resolve();
    this.#isAsked = false;
    void this.#watch(peer);
  }

  lost(): void {
    this.#peer = undefined;
    this.#forget();
  }

  changed(...change: Change<Row>): void {
    if (this.#rows === undefined) return void this.#early.push(change);
    this.#apply(this.#rows, change);
    this.#tell();
  }

  /** The session ends, and so does every loop. */
  close(cause: Error | undefined): void {
    this.#peer = undefined;
    this.#closed = cause === undefined ? {} : { error: cause };
    this.#finish(this.#closed);
  }

  /** Reads the list, and again whenever it has changed. */
  read(): AsyncIterableIterator<readonly Row[], void, undefined> {
    const reader: Reader = { isBehind: true, wake() {} };
    const lists = this.#lists(reader);
    return {
      next: () => lists.next(),
      return() {
        reader.end ??= {};
        reader.wake();
        return lists.return();
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }

  async *#lists(reader: Reader): AsyncGenerator<readonly Row[], void, undefined> {
    this.#join(reader);
    try {
      for (;;) {
        if (reader.end !== undefined) {
          if ("error" in reader.end) throw reader.end.error;
          return;
        }
        if (reader.isBehind && this.#rows !== undefined) {
          reader.isBehind = false;
          yield [...this.#rows.values()];
        } else {
          await new Promise<void>((resolve) => {
            reader.wake = resolve;
          });
        }
      }
    } finally {
      this.#leave(reader);
    }
  }

  #join(reader: Reader): void {
    if (this.#closed !== undefined) reader.end = this.#closed;
    this.#readers.add(reader);
    if (this.#readers.size === 1 && this.#peer !== undefined) void this.#watch(this.#peer);
  }

  #leave(reader: Reader): void {
    this.#readers.delete(reader);
    if (this.#readers.size > 0) return;
    this.#forget();
    if (!this.#isAsked) return;
    this.#isAsked = false;
    // A connection that closes ends the watch too.
    this.#unwatched = (this.#peer && this.#list.unwatch(this.#peer).catch(() => {})) ?? Promise.resolve();
  }

  async #watch(peer: AgentPeer): Promise<void> {
    await this.#unwatched;
    if (peer !== this.#peer || this.#readers.size === 0) return;
    this.#forget();
    this.#isAsked = true;
    try {
      const rows = await this.#list.watch(peer);
      if (peer !== this.#peer || this.#readers.size === 0) return;
      const listed = new Map(rows.map((row) => [this.#list.idOf(row), row]));
      for (const change of this.#early) this.#apply(listed, change);
      this.#forget();
      this.#rows = listed;
      this.#tell();
    } catch (error) {
      // A lost connection is opened again, and the list is watched on the new one.
      if (peer !== this.#peer || (error instanceof LocalError && error.code === "CLOSED")) return;
      this.#isAsked = false;
      this.#finish({ error });
    }
  }

  #forget(): void {
    this.#rows = undefined;
    this.#early = [];
  }

  #apply(listed: Map<string, Row>, [rows, gone]: Change<Row>): void {
    for (const row of rows) listed.set(this.#list.idOf(row), row);
    for (const id of gone) listed.delete(id);
  }

  /** Ends the loops that there are. */
  #finish(end: NonNullable<Reader["end"]>): void {
    for (const reader of this.#readers) reader.end ??= end;
    this.#tell();
  }

  #tell(): void {
    for (const reader of this.#readers) {
      reader.isBehind = true;
      reader.wake();
    }
  }
}
