import { effectiveVersion, knowsEvent, type RequestType, type WireEventInput } from "@askwire/protocol";
import { baseProfile } from "../profiles/base-profile.js";
import { callProfile } from "../profiles/call-profile.js";
import { type ClientSide, type ConnectionParts, DRAINED_BYTES } from "./client-side.js";
import { putRequests } from "./put-requests.js";

/** Speaks to a client in the base profile. */
export function baseClient(line: ConnectionParts): ClientSide {
  const { connection, peer, log, grant } = line;
  const profile = grant.may("approve_scope")
    ? baseProfile
    : callProfile(baseProfile, ({ id }, said) =>
        log.warn({ connection, request: id, said }, "an answer beyond its call counts for that call alone"),
      );
  const requests = putRequests({ ...line, recipientId: connection, profile });
  let version = effectiveVersion(undefined);
  let hooked = false;
  /** True once the client said its name or its capabilities: before that it counts as old (P-VER-3). */
  let named = false;

  /** True where the client is new enough for an event (P-VER-2), and for the event inside a sub-agent's. */
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
      // An event that cannot be sent to one client must not stop the others, or the turn.
      log.error({ connection, type, error: String(error) }, "an event could not be sent");
      return false;
    }
  }

  return {
    id: connection,
    returns: false,
    namesSession: false,
    methods: {},
    introduced({ client, capabilities, protocol_version, hooks }) {
      named ||= client != null || capabilities != null;
      version = effectiveVersion(named ? protocol_version : undefined);
      hooked = (hooks ?? []).length > 0;
      return {};
    },
    declared: ({ askwire: _extended, ...capabilities }) => capabilities,
    // To a base client `turn_id` is a member that the base profile does not name (P-ENV-10).
    turnId: () => undefined,
    joinLeftTurn(words) {
      const { session } = line;
      const joined = session.joinLeftTurn(words);
      if (joined === undefined) return undefined;
      tell({ type: "TurnBegin", payload: { user_input: joined.input } });
      for (const request of session.pending) {
        // Under the id that it had: what the client was sent of it before its prompt it may have dropped.
        if ("code" in session.core.find(request.id, connection)) continue;
        requests.settled(request, false);
        requests.put(request);
      }
      return joined.result;
    },
    start() {},
    stop() {},
    show: (request) => void requests.put(request),
    settled: (request) => requests.settled(request, false),
    tell,
    tellsHistory: () => false,
    replayTarget: () => ({
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
      drained: () => line.drained(DRAINED_BYTES),
    }),
  };
}
