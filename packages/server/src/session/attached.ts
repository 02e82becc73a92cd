import { type ClientCapabilities, closeCodes, type WireEventInput } from "@askwire/protocol";
import type { ToolOffer } from "../agent/agent.js";
import type { Attendance, Recipient } from "../requests/core.js";
import type { Clock } from "../runtime/clock.js";

/** A client at the other end of a connection. */
export interface RemoteClient extends Recipient {
  /** The same for all connections of a client that may come back. */
  readonly id: string;
  /** Whether the same client may come back on another connection, under the same id (P-XAT-1). */
  readonly returns: boolean;
  /** What the client declared that it can show. */
  capabilities(): ClientCapabilities;
  /** Sends an event to a base client, unless it is too old to know it; an extended one reads the session's log. */
  tell(event: WireEventInput): void;
  /** Resolves once the client has taken most of what it was sent. */
  drained(): Promise<void>;
  /** Ends it after what was sent; `code` is one of `closeCodes`, for transports that have them. */
  close(code?: number, reason?: string): void;
}

/** Who answers in this process, without a connection. It counts as a client that shows questions. */
export interface InProcessClient extends Recipient {
  /** The session has ended: nothing more comes. */
  closed(): void;
}

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

/** The clients of a session: those that are here, and those that are waited for (P-XAT-1, P-XAT-8). */
export class Attached {
  readonly #clock: Clock;
  readonly #connections = new Map<string, RemoteClient>();
  #inProcess: Set<InProcessClient> | undefined;
  #away: Map<string, Away> | undefined;
  #isClosed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How many are connected. */
  get size(): number {
    return this.#connections.size;
  }

  /** Whether nobody is here, in this process neither. */
  get isEmpty(): boolean {
    return this.#connections.size === 0 && !this.#isJoined;
  }

  get #isJoined(): boolean {
    return this.#inProcess !== undefined && this.#inProcess.size > 0;
  }

  connections(): Iterable<RemoteClient> {
    return this.#connections.values();
  }

  /** What tools are offered by (P-KIM-5). */
  offer(attendance: Attendance): ToolOffer {
    const clients = this.#capabilities();
    const joined = this.#isJoined;
    const held = clients.length === 0 && !joined && attendance === "hold";
    return {
      canAsk: held || joined || clients.some(({ supports_question }) => supports_question),
      canPlan: held || clients.some(({ supports_plan_mode }) => supports_plan_mode),
    };
  }

  /** What each client declared, also those that are waited for. */
  #capabilities(): ClientCapabilities[] {
    const here = [...this.#connections.values()].map((connection) => connection.capabilities());
    return this.#away === undefined
      ? here
      : [...here, ...[...this.#away.values()].map((away) => away.capabilities)];
  }

  /** Adds a connection; an older one of the same client is closed. */
  add(connection: RemoteClient): void {
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
  remove(connection: RemoteClient, graceMs: number, gone: () => void): boolean {
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

  /** Adds who answers in this process. Returns what takes it away again, and says whether it was there. */
  join(client: InProcessClient): () => boolean {
    this.#inProcess ??= new Set();
    this.#inProcess.add(client);
    return () => this.#inProcess?.delete(client) === true;
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

  /** Nobody stays. */
  leave(): void {
    for (const connection of [...this.#connections.values()]) connection.close();
    for (const client of this.#inProcess ?? []) client.closed();
    this.#inProcess = undefined;
  }
}
