import { type ClientCapabilities, closeCodes } from "@askwire/protocol";
import type { Connection } from "./connection.js";
import type { Clock } from "./interaction/clock.js";

/** A client that was lost and may come back. */
interface Away {
  readonly capabilities: ClientCapabilities;
  /** Ends the wait for it. */
  readonly cancel: () => void;
  /** It does not come back. */
  readonly gone: () => void;
}

/** Clients that are waited for at once: with one more, the one that is away longest is given up. */
const MAX_AWAY = 64;

/** The clients of a session: those that are connected, and those that are waited for (P-XAT-1, P-XAT-8). */
export class Attached {
  readonly #clock: Clock;
  readonly #connections = new Map<string, Connection>();
  #away: Map<string, Away> | undefined;
  #isClosed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#connections.size;
  }

  connections(): Iterable<Connection> {
    return this.#connections.values();
  }

  /** What each client declared, also those that are waited for. */
  capabilities(): ClientCapabilities[] {
    const here = [...this.#connections.values()].map((connection) => connection.capabilities());
    return this.#away === undefined
      ? here
      : [...here, ...[...this.#away.values()].map((away) => away.capabilities)];
  }

  /** Adds a connection; an older one of the same client is closed. */
  add(connection: Connection): void {
    const { id } = connection;
    const older = this.#connections.get(id);
    this.#connections.set(id, connection);
    this.#away?.get(id)?.cancel();
    this.#away?.delete(id);
    if (older !== undefined && older !== connection) {
      older.close(closeCodes.Replaced, "the same client connected again");
    }
  }

  /**
   * Takes a connection away. False if it is not there, or another one has its place.
   *
   * @param gone called when its client does not come back: at once, or after the grace.
   */
  remove(connection: Connection, graceMs: number, gone: () => void): boolean {
    const { id } = connection;
    const present = this.#connections.get(id);
    // One that ended before it was added may have brought tools all the same.
    if (present === undefined && this.#away?.has(id) !== true) gone();
    if (present !== connection) return false;
    this.#connections.delete(id);
    if (!connection.returns || graceMs <= 0 || this.#isClosed) gone();
    else {
      const cancel = this.#clock.after(graceMs, () => {
        this.#away?.delete(id);
        gone();
      });
      this.#away ??= new Map();
      this.#away.set(id, { capabilities: connection.capabilities(), cancel, gone });
      this.#giveUpLongest(this.#away);
    }
    return true;
  }

  #giveUpLongest(away: Map<string, Away>): void {
    const [longest] = away;
    if (longest === undefined || away.size <= MAX_AWAY) return;
    const [id, { cancel, gone }] = longest;
    away.delete(id);
    cancel();
    gone();
  }

  /** Nobody is waited for any more. */
  close(): void {
    this.#isClosed = true;
    for (const { cancel } of this.#away?.values() ?? []) cancel();
    this.#away = undefined;
  }
}
