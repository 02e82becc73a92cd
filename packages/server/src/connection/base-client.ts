import {
  type ClientCapabilities,
  effectiveVersion,
  type InitializeParams,
  knowsEvent,
  type PromptResult,
  type RequestType,
  type UserInput,
  type WireEventInput,
} from "@askwire/protocol";
import type { ReplayTarget } from "../journal/replay.js";
import { baseProfile } from "../profiles/base-profile.js";
import { callProfile } from "../profiles/call-profile.js";
import type { AnyInteraction, PersonRequest } from "../requests/core.js";
import { type ClientSide, type ConnectionParts, DRAINED_BYTES, JoinedClient } from "./client-side.js";
import { PutRequests } from "./put-requests.js";

/** Speaks to a client in the base profile. */
export class BaseClient extends JoinedClient implements ClientSide {
  readonly id: string;
  readonly #requests: PutRequests;
  #version = effectiveVersion(undefined);
  #hooked = false;
  /** True once the client said its name or its capabilities: before that it counts as old (P-VER-3). */
  #named = false;

  constructor(line: ConnectionParts) {
    super(line);
    const { connection, log, grant } = line;
    this.id = connection;
    const profile = grant.may("approve_scope")
      ? baseProfile
      : callProfile(baseProfile, ({ id }, said) =>
          log.warn({ connection, request: id, said }, "an answer beyond its call counts for that call alone"),
        );
    this.#requests = new PutRequests(line, connection, profile);
  }

  get returns(): boolean {
    return false;
  }

  get namesSession(): boolean {
    return false;
  }

  get methods(): ClientSide["methods"] {
    return {};
  }

  introduced({ client, capabilities, protocol_version, hooks }: InitializeParams) {
    this.#named ||= client != null || capabilities != null;
    this.#version = effectiveVersion(this.#named ? protocol_version : undefined);
    this.#hooked = (hooks ?? []).length > 0;
    return {};
  }

  declared({ askwire: _extended, ...capabilities }: ClientCapabilities): ClientCapabilities {
    return capabilities;
  }

  /** To a base client `turn_id` is a member that the base profile does not name (P-ENV-10). */
  turnId(): undefined {
    return undefined;
  }

  joinLeftTurn(words: UserInput): Promise<PromptResult> | undefined {
    const { session } = this.line;
    const joined = session.joinLeftTurn(words);
    if (joined === undefined) return undefined;
    this.tell({ type: "TurnBegin", payload: { user_input: joined.input } });
    for (const request of session.pending) {
      // Under the id that it had: what the client was sent of it before its prompt it may have dropped.
      if ("code" in session.core.find(request.id, this.id)) continue;
      this.#requests.settled(request, false);
      this.#requests.put(request);
    }
    return joined.result;
  }

  start(): void {}

  stop(): void {}

  /** A client that learns of no claim is not sent what one person answers at a time (P-XTO-5). */
  override canShow(request: PersonRequest): boolean {
    return request.addressing?.exclusive !== true && super.canShow(request);
  }

  takenOff(request: PersonRequest): void {
    this.#requests.settled(request, false);
  }

  show(request: AnyInteraction): void {
    this.#requests.put(request);
  }

  settled(request: AnyInteraction): void {
    this.#requests.settled(request, false);
  }

  tell(event: WireEventInput): boolean {
    const { type, payload } = event;
    const { peer, log } = this.line;
    if (peer.isClosed || !this.#knows(event)) return false;
    try {
      peer.tell("event", type, payload);
      return true;
    } catch (error) {
      // An event that cannot be sent to one client must not stop the others, or the turn.
      log.error({ connection: this.id, type, error: String(error) }, "an event could not be sent");
      return false;
    }
  }

  tellsHistory(): boolean {
    return false;
  }

  replayTarget(): ReplayTarget {
    const { peer, log, drained } = this.line;
    return {
      event: (type, payload) => this.tell({ type, payload } as WireEventInput),
      request: (type, payload) => {
        const { id } = payload as { id: string };
        try {
          peer.ask("request", type as RequestType, payload as never, id, () => {}).forget();
          return true;
        } catch (error) {
          log.error({ connection: this.id, type, error: String(error) }, "a request could not be replayed");
          return false;
        }
      },
      drained: () => drained(DRAINED_BYTES),
    };
  }

  /** True where the client is new enough for an event (P-VER-2), and for the event inside a sub-agent's. */
  #knows({ type, payload }: WireEventInput): boolean {
    if (!knowsEvent(this.#version, type, this.#hooked)) return false;
    // Of a recorded one, what lies deeper was not validated.
    const inner = type === "SubagentEvent" ? (payload?.event as WireEventInput | undefined) : undefined;
    return inner === undefined || this.#knows(inner);
  }
}
