import {
  everyFeature,
  extendedOffer,
  type Handlers,
  hookEvents,
  type InitializeParams,
  type InitializeResult,
  type ListedRequest,
  type ListedSession,
  PROTOCOL_VERSION,
  type Principal,
  type ServedAgentMethods,
  WireError,
} from "@askwire/protocol";
import type { PersonWithRoles } from "../requests/addressing.js";
import { type Holder, holderId } from "../requests/request-claims.js";
import type { Pairing } from "../session/pairing-code.js";
import { actingClient, type ConnectionParts } from "./client-side.js";
import { listFeatures, listMethods } from "./extended-methods.js";
import type { Watch } from "./gathered-changes.js";
import type { Grant } from "./grant.js";
import { declaresPairing, OwnCode } from "./own-code.js";
import type { RequestLists } from "./request-lists.js";
import type { SessionMethods } from "./session-methods.js";
import { ServerSignsOfLife } from "./signs-of-life.js";
import { type TellingLine, toldRequests, toldSessions } from "./told-changes.js";

/** True for a client that wants to join no session (P-XLB-1). */
export const wantsLobby = ({ lobby, session, capabilities }: InitializeParams): boolean =>
  lobby === true && session == null && extendedOffer(capabilities?.askwire) !== undefined;

/** The parts of the connection of such a client. */
type LobbyLine = TellingLine & Pick<ConnectionParts, "client">;

/** A client that has joined no session: it sees, makes and closes those that there are (P-XLB-1, P-XLB-2). */
export class Lobby {
  readonly methods: Handlers<ServedAgentMethods>;
  readonly #line: LobbyLine;
  readonly #signs: ServerSignsOfLife;
  readonly ownCode: OwnCode | undefined;
  readonly sessionId = undefined;
  #watch: Watch<ListedSession> | undefined;
  #requestWatch: Watch<ListedRequest> | undefined;
  /** Called at the end of the connection. */
  readonly #leaving = new Set<() => void>();

  constructor(line: LobbyLine, sessions: SessionMethods, pairing: Pairing | undefined) {
    const { peer, clock } = line;
    this.#line = line;
    this.ownCode = pairing && new OwnCode(pairing);
    this.#signs = new ServerSignsOfLife({
      clock,
      isMutual: false,
      bytesRead: () => 0,
      awaits: () => false,
      tell: () => void peer.notify("alive", { seq: 0 }),
      silent() {},
    });
    this.methods = { ...elsewhere, ...listMethods(this, sessions) };
  }

  /** Begins to give signs of life. */
  start(): void {
    this.#signs.start();
  }

  stop(): void {
    this.#signs.stop();
    this.#watch?.stop();
    this.#requestWatch?.stop();
    this.ownCode?.stop();
    for (const leave of this.#leaving) leave();
  }

  atEnd(leave: () => void): () => void {
    this.#leaving.add(leave);
    return () => this.#leaving.delete(leave);
  }

  get principal(): Principal | undefined {
    return this.#line.principal;
  }

  get connection(): string {
    return this.#line.connection;
  }

  holder(): Holder {
    const { connection, principal, client } = this.#line;
    const by = actingClient(client(), principal);
    return { id: holderId(principal, connection), by, person: this.#line.person };
  }

  person(): PersonWithRoles {
    return this.#line.person();
  }

  watch(sessions: SessionMethods): Watch<ListedSession> {
    this.#watch ??= toldSessions(this.#line, sessions);
    return this.#watch;
  }

  watchRequests(requests: RequestLists): Watch<ListedRequest> {
    this.#requestWatch ??= toldRequests(this.#line, requests);
    return this.#requestWatch;
  }
}

/** The introduction of a server in the lobby. */
export function lobbyResult(
  { name, version }: { readonly name: string; readonly version: string },
  grant: Grant,
  sessions: SessionMethods,
  pairing: Pairing | undefined,
): InitializeResult {
  const { role, permissions } = grant;
  const askwire = { ...everyFeature, ...listFeatures(sessions, grant), ...declaresPairing(pairing) };
  return {
    protocol_version: PROTOCOL_VERSION,
    server: { name, version },
    slash_commands: [],
    hooks: { supported_events: [...hookEvents], configured: {} },
    capabilities: { supports_question: true, askwire },
    lobby: role === undefined ? {} : { role, permissions: [...permissions] },
  };
}

function refuse(): never {
  throw new WireError("InvalidState", "This connection joined no session: connect again and name one");
}

/** The methods that need a session. What reports only, is not heard. */
const elsewhere: Handlers<ServedAgentMethods> = {
  initialize: refuse,
  prompt: refuse,
  steer: refuse,
  replay: refuse,
  set_plan_mode: refuse,
  cancel: refuse,
  answer: refuse,
  touch: refuse,
  release: refuse,
  ask: refuse,
  set_do_not_ask: refuse,
  received() {},
  alive() {},
} as Handlers<ServedAgentMethods>;
