import {
  type ClientMethods,
  effectiveVersion,
  knowsEvent,
  type Peer,
  type RequestType,
  type WireEventInput,
} from "@askwire/protocol";
import type { ReplayTarget } from "../journal/replay.js";
import type { Log } from "../runtime/log.js";

/** Streaming waits for a client that has more than this many bytes unread. */
export const DRAINED_BYTES = 1024 * 1024;

export interface BaseClientOptions {
  /** The id of its connection. */
  readonly connection: string;
  readonly peer: Peer<ClientMethods>;
  readonly drained: () => Promise<void>;
  readonly log: Log;
}

/** What a session tells a client of the base profile. */
export interface BaseClient {
  /** It said how old it is, and whether it has hooks: before that it counts as old (P-VER-3). */
  introduce(protocolVersion: string | undefined, hooked: boolean): void;
  /** Sends an event, unless the client is too old to know it (P-VER-2). False if it was not sent. */
  tell(event: WireEventInput): boolean;
  /** What was sent once, to this client alone: its answers to such requests settle nothing (P-JRN-10). */
  readonly replayTarget: ReplayTarget;
}

/** Speaks to a client in the base profile. */
export function baseClient({ connection, peer, drained, log }: BaseClientOptions): BaseClient {
  let version = effectiveVersion(undefined);
  let hooked = false;

  /** Whether the client is new enough for an event, also for one inside a sub-agent's. */
  function knows({ type, payload }: WireEventInput): boolean {
    if (!knowsEvent(version, type, hooked)) return false;
    // Of a recorded one, what lies deeper was not validated.
    const inner = type === "SubagentEvent" ? (payload?.event as WireEventInput | undefined) : undefined;
    return inner === undefined || knows(inner);
  }

  function tell(event: WireEventInput): boolean {
    const { type, payload } = event;
    if (peer.isClosed || !knows(event)) return false;
    try {
      peer.tell("event", type, payload);
      return true;
    } catch (error) {
      // What one client cannot be told must not keep the others, or the turn, from going on.
      log.error({ connection, type, error: String(error) }, "an event could not be sent");
      return false;
    }
  }

  return {
    introduce(protocolVersion, hasHooks) {
      version = effectiveVersion(protocolVersion);
      hooked = hasHooks;
    },
    tell,
    replayTarget: {
      event: (type, payload) => tell({ type, payload } as WireEventInput),
      request(type, payload) {
        const { id } = payload as { id: string };
        try {
          peer.ask("request", type as RequestType, payload as never, id, () => {}).forget();
          return true;
        } catch (error) {
          log.error({ connection, type, error: String(error) }, "a request could not be replayed");
          return false;
        }
      },
      drained,
    },
  };
}
