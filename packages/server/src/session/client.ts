import type { ClientCapabilities, WireEventInput } from "@askwire/protocol";
import type { Recipient } from "../requests/core.js";

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

/** A client in this process, without a connection. It counts as a client that shows questions. */
export interface InProcessClient extends Recipient {
  /** The session has ended: nothing more comes. */
  closed(): void;
}
