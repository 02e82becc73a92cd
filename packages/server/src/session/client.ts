import type { ActingClient, ClientCapabilities, WireEventInput } from "@askwire/protocol";
import type { AnyInteraction, Recipient } from "../requests/core.js";
import type { SyncGate } from "./sync-gate.js";

/** A client at the other end of a connection. */
export interface RemoteClient extends Recipient {
  /** The id of the client, the same on all its connections. */
  readonly id: string;
  /** True if the client may return on another connection, under the same id (P-XAT-1). */
  readonly returns: boolean;
  /** The features that the client declared. */
  capabilities(): ClientCapabilities;
  /** The name that others are told, and the person. Absent for a client of the base profile, which tells nothing of itself. */
  name?(): ActingClient;
  /** Sends an event to a base client whose version knows it. Extended clients read the session's log. */
  tell(event: WireEventInput): void;
  /** Resolves once the client has taken most of what it was sent. */
  drained(): Promise<void>;
  /** Ends it after what was sent; `code` is one of `closeCodes`, for transports that have them. */
  close(code?: number, reason?: string): void;
}

/** A client in this process, without a connection. Counts as a client that shows questions. */
export interface InProcessClient extends Recipient {
  /** The session has ended: nothing more comes. */
  closed(): void;
}

/** A client in this process that is shown only what is safe on disk (P-DUR-5). */
export function behindGate(client: InProcessClient, gate: SyncGate): InProcessClient {
  const { showOpen } = client;
  return {
    ...client,
    show: (request) => gate.pass(() => client.show(request)),
    ...(showOpen !== undefined && {
      showOpen: (request: AnyInteraction) => gate.pass(() => showOpen.call(client, request)),
    }),
    settled: (request, outcome) => gate.pass(() => client.settled(request, outcome)),
  };
}
