import {
  type ActingClient,
  type ClientCapabilities,
  type ClientMethods,
  canShow,
  type Handlers,
  type InitializeParams,
  type InitializeResult,
  type Peer,
  type Principal,
  type PromptResult,
  type ServedAgentMethods,
  type UserInput,
} from "@askwire/protocol";
import type { LinePlace } from "../journal/kept-lines.js";
import type { ReplayTarget } from "../journal/replay.js";
import type { ClientName } from "../profiles/profile.js";
import type { PersonWithRoles } from "../requests/addressing.js";
import type { PersonRequest } from "../requests/core.js";
import { isOnePerson } from "../requests/quorum.js";
import type { Clock } from "../runtime/clock.js";
import type { Log } from "../runtime/log.js";
import type { RemoteClient } from "../session/client.js";
import type { Pairing } from "../session/pairing-code.js";
import type { ServedSession } from "../session/served-session.js";
import type { Grant } from "./grant.js";
import type { SessionMethods } from "./session-methods.js";

/** Streaming waits for a client that has more than this many bytes unread. */
export const DRAINED_BYTES = 1024 * 1024;

/** The parts of a connection that the profile of its client uses. */
export interface ConnectionParts {
  /** The id of the connection. */
  readonly connection: string;
  /** The role of the client, and its permissions. */
  readonly grant: Grant;
  readonly session: ServedSession;
  readonly peer: Peer<ClientMethods>;
  /** True if the session ends with this connection. */
  readonly endsSession: boolean;
  /** The name of the client, at this moment. */
  readonly client: () => ClientName;
  /** The person that the client was let in as; undefined where the door knows none (P-WHO-3). */
  readonly principal: Principal | undefined;
  /** That person, with the roles of this moment (P-XTO-4). */
  readonly person: () => PersonWithRoles;
  /** The features that the client declared. */
  readonly capabilities: () => ClientCapabilities;
  /** Resolves once at most that many bytes wait to be sent. */
  readonly drained: (bytes: number) => Promise<void>;
  /** The bytes that have come from the client; always 0 where the transport cannot count them. */
  readonly bytesRead: () => number;
  /** Default: the client cannot list, make or close sessions. */
  readonly sessions: SessionMethods | undefined;
  /** Default: the client is not let near codes for devices. */
  readonly pairing: Pairing | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/** A client that acts, with the person that the door let it in as (P-WHO-3). */
export const actingClient = (client: ClientName, principal: Principal | undefined): ActingClient =>
  principal === undefined ? client : { ...client, principal };

/** A client in the terms of its profile: everything in which base and extended clients differ. */
export interface ClientSide extends RemoteClient {
  /** True if `initialize` may name a session (P-XAT-2). */
  readonly namesSession: boolean;
  /** The methods of the profile, in addition to those of the base. */
  readonly methods: Partial<Handlers<ServedAgentMethods>>;
  /** Makes the receiver of a replay. */
  replayTarget(): ReplayTarget;
  /** The end of the journal as it was at the attach of a client that may replay during a turn (P-XRP-2). */
  readonly seam?: LinePlace | undefined;
  /** True while the client is sent the conversation so far (P-XHI-3). */
  tellsHistory(): boolean;
  /** Reads `initialize`. Returns the members of its result in addition to those of the base. */
  introduced(params: InitializeParams): Partial<InitializeResult>;
  /** The declared capabilities that count. */
  declared(capabilities: ClientCapabilities): ClientCapabilities;
  /** The id that a client gives the turn of its prompt. */
  turnId(given: string | undefined): string | undefined;
  /**
   * Joins a client that knows no turns but those of its own prompts to the turn that an earlier process left (P-KPT-4).
   * Undefined for a client that hears every turn, and where there is no such turn.
   */
  joinLeftTurn?(words: UserInput): Promise<PromptResult> | undefined;
  /** Begins to send an attached client events; again without effect. */
  start(): void;
  stop(): void;
}

/**
 * The part of a client that all profiles share. Sides are classes since each function of a side of its own would be kept
 * with each connection: 2.9 kB in the base profile, 4.6 kB in the extended one.
 */
export abstract class JoinedClient {
  protected readonly line: ConnectionParts;

  constructor(line: ConnectionParts) {
    this.line = line;
  }

  capabilities(): ClientCapabilities {
    return this.line.capabilities();
  }

  canShow(request: PersonRequest): boolean {
    const isSeveral = request.kind === "approval" && request.quorum !== undefined;
    if (isSeveral && !isOnePerson(this.line.principal)) return false;
    return canShow(request, this.capabilities());
  }

  person(): PersonWithRoles {
    return this.line.person();
  }

  drained(): Promise<void> {
    return this.line.drained(DRAINED_BYTES);
  }

  close(code?: number, reason?: string): void {
    this.line.peer.close(code, reason);
  }
}
