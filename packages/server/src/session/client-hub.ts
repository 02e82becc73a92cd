import { type ClientCapabilities, closeCodes } from "@askwire/protocol";
import type { ToolOffer } from "../agent/agent.js";
import type { Attendance, InteractionCore } from "../requests/core.js";
import type { Clock } from "../runtime/clock.js";
import type { InProcessClient, RemoteClient } from "./client.js";

export interface ClientHubOptions {
  readonly clock: Clock;
  /** The core that asks the clients. */
  readonly core: Pick<InteractionCore, "attach" | "detach">;
  /** Called with the id of a client that does not come back. */
  readonly onGone: (id: string) => void;
}

/** A client that was lost and may come back. */
interface Away {
  readonly capabilities: ClientCapabilities;
  /** Ends the wait for it. */
  readonly cancel: () => void;
}

/** Clients that are waited for at once: with one more, the one that is away longest is given up. */
const MAX_AWAY = 64;

/** The clients of a session: here, in this process, and lost but waited for (P-XAT-1, P-XAT-8). */
export class ClientHub {
  readonly #options: ClientHubOptions;
  readonly #connections = new Map<string, RemoteClient>();
  #inProcess: Set<InProcessClient> | undefined;
  #away: Map<string, Away> | undefined;
  #isClosed = false;
  #activity = 0;

  constructor(options: ClientHubOptions) {
    this.#options = options;
  }

  /** Changes with each client that comes. */
  get activity(): number {
    return this.#activity;
  }

  /** The number of connected clients. */
  get size(): number {
    return this.#connections.size;
  }

  /** True if no client is here, also none in this process. */
  get isEmpty(): boolean {
    return this.#connections.size === 0 && !this.#isJoined;
  }

  get #isJoined(): boolean {
    return this.#inProcess !== undefined && this.#inProcess.size > 0;
  }

  connections(): Iterable<RemoteClient> {
    return this.#connections.values();
  }

  /** The facts that decide which tools are offered (P-KIM-5). */
  offer(attendance: Attendance): ToolOffer {
    const clients = this.#capabilities();
    const joined = this.#isJoined;
    const held = clients.length === 0 && !joined && attendance === "hold";
    return {
      canAsk: held || joined || clients.some(({ supports_question }) => supports_question),
      canPlan: held || clients.some(({ supports_plan_mode }) => supports_plan_mode),
    };
  }

  /** The features that each client declared, also clients that may still return. */
  #capabilities(): ClientCapabilities[] {
    const here = [...this.#connections.values()].map((connection) => connection.capabilities());
    return this.#away === undefined
      ? here
      : [...here, ...[...this.#away.values()].map((away) => away.capabilities)];
  }

  /** True for a client that was added. */
  has(client: RemoteClient): boolean {
    return this.#connections.get(client.id) === client;
  }

  /**
   * Adds a client, or updates a client whose abilities changed, and shows it the open requests. An older connection of
   * the client is closed.
   */
  attach(client: RemoteClient): void {
    const { id } = client;
    const older = this.#connections.get(id);
    this.#activity += 1;
    this.#connections.set(id, client);
    this.#away?.get(id)?.cancel();
    this.#away?.delete(id);
    if (older !== undefined && older !== client) {
      older.close(closeCodes.Replaced, "the same client connected again");
    }
    this.#options.core.attach(client);
  }

  /** Takes a client away; nothing else happens where it was not added, or another connection has its place. */
  detach(client: RemoteClient, graceMs: number): void {
    const { id, returns } = client;
    const { onGone, clock, core } = this.#options;
    const present = this.#connections.get(id);
    // A client that ended before it was added may have brought tools.
    if (present === undefined && this.#away?.has(id) !== true) onGone(id);
    if (present !== client) return;
    this.#connections.delete(id);
    if (!returns || graceMs <= 0 || this.#isClosed) onGone(id);
    else {
      const cancel = clock.after(graceMs, () => {
        this.#away?.delete(id);
        onGone(id);
      });
      this.#away ??= new Map();
      this.#away.set(id, { capabilities: client.capabilities(), cancel });
      this.#giveUpLongest(this.#away);
    }
    core.detach(id, graceMs, returns);
  }

  /** Adds a client in this process. Returns what takes it away again, and says whether it was there. */
  join(client: InProcessClient): () => boolean {
    this.#activity += 1;
    this.#inProcess ??= new Set();
    this.#inProcess.add(client);
    this.#options.core.attach(client);
    return () => {
      if (this.#inProcess?.delete(client) !== true) return false;
      this.#options.core.detach(client.id, 0);
      return true;
    };
  }

  #giveUpLongest(away: Map<string, Away>): void {
    const [longest] = away;
    if (longest === undefined || away.size <= MAX_AWAY) return;
    const [id, { cancel }] = longest;
    away.delete(id);
    cancel();
    this.#options.onGone(id);
  }

  /** Stops waiting for lost clients. */
  close(): void {
    this.#isClosed = true;
    for (const { cancel } of this.#away?.values() ?? []) cancel();
    this.#away = undefined;
  }

  /** Removes all clients. `code` is one of `closeCodes`, for transports that have them. */
  leave(code?: number, reason?: string): void {
    for (const connection of [...this.#connections.values()]) connection.close(code, reason);
    for (const client of this.#inProcess ?? []) client.closed();
    this.#inProcess = undefined;
  }
}
