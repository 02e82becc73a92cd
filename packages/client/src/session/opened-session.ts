import {
  type HeardAgentMethods,
  type In,
  LocalError,
  type Permission,
  type UserInput,
} from "@askwire/protocol";
import { checkGiven } from "#checks";
import { type AskedToEnd, type AskInit, asked, askParams } from "../contract/ask.js";
import type { AgentPeer, ProfileConversation } from "../contract/conversation.js";
import type { Outbox } from "../contract/delivery.js";
import type { ReplayHandlers } from "../contract/replay.js";
import type {
  Abortable,
  ClaimedRequest,
  ClientSession,
  ListedKeptSessions,
  Offers,
  WantedCode,
  WantedPage,
  WantedRequests,
} from "../contract/session.js";
import { untilAborted } from "../runtime/until-aborted.js";
import type { LastingSession } from "./lasting-session.js";

/** The session object for the user. Its methods work without `this`. */
export class OpenedSession implements ClientSession {
  readonly #inside: LastingSession;
  readonly closed: Promise<Error | undefined>;
  readonly outbox: Outbox;

  constructor(inside: LastingSession) {
    this.#inside = inside;
    this.outbox = inside.said.outbox(this);
    this.closed = inside.kept.closed;
  }

  get server() {
    return this.#inside.kept.latest?.server;
  }

  get slashCommands() {
    return this.#inside.conversation.slashCommands ?? this.server?.slash_commands ?? [];
  }

  get id() {
    return this.#inside.id;
  }

  get state() {
    return this.#inside.conversation.state;
  }

  get role() {
    return this.#granted?.role;
  }

  /** The role of this client and its permissions, in a session or in the lobby. */
  get #granted() {
    const { attached, server } = this.#inside.kept.latest ?? {};
    return attached ?? server?.lobby;
  }

  get doNotAsk() {
    return this.#inside.conversation.doNotAsk === true;
  }

  get connection() {
    return this.#inside.kept.state;
  }

  get status() {
    return this.#inside.observer.status;
  }

  may = (permission: Permission) => {
    const { role, permissions } = this.#granted ?? {};
    return permissions?.includes(permission) ?? role === undefined;
  };

  prompt = (input: UserInput, options: Abortable = {}) => {
    const signal = signalOf("prompt", options);
    signal?.throwIfAborted();
    return this.#free("prompt").prompt(input, signal);
  };

  joinTurn = () => this.#free("joinTurn").joinTurn?.();

  steer = async (input: UserInput) => {
    const conversation = this.#inside.conversation;
    this.#peer("steer");
    if (conversation.isReplaying() || conversation.isUnderWay() === false) {
      throw invalidState("steer: no turn is running");
    }
    await (conversation.steer?.(input) ?? this.call("steer", { user_input: input }));
  };

  declare = async (offers: Offers) => this.#inside.declare(offers, (hello) => this.call("initialize", hello));

  setPlanMode = async (enabled: boolean) => {
    const { plan_mode } = await this.call("set_plan_mode", { enabled });
    this.#inside.observer.update({ plan_mode });
    return plan_mode;
  };

  setDoNotAsk = async (enabled: boolean) => (await this.call("set_do_not_ask", { enabled })).do_not_ask;

  replay = async (to: ReplayHandlers = {}, options: Abortable = {}) => {
    checkGiven("replay", "replay", to);
    const signal = signalOf("replay", options);
    signal?.throwIfAborted();
    this.#peer("replay");
    const conversation = this.#inside.conversation;
    if (conversation.isReplaying()) throw invalidState("replay: a replay is running");
    if (conversation.isUnderWay() && !conversation.replaysInTurn)
      throw invalidState("replay: a turn is running");
    return conversation.replay(to, signal);
  };

  cancel = async () => {
    await this.call("cancel", undefined);
  };

  ask = async (init: AskInit) => {
    checkGiven("ask", "ask", init);
    const params = askParams(init);
    // A server without the profile refuses the method itself.
    const reply = this.#inside.conversation.ask?.(params, init.signal) ?? this.call("ask", params);
    const end = asked(params.key, await reply);
    if (end.outcome === undefined && init.wait !== false)
      throw new LocalError("BAD_PEER", "ask: expected an outcome in the reply");
    return end as AskedToEnd;
  };

  listSessions = (async (wanted?: WantedPage) => {
    checkGiven("listSessions", "wantedPage", wanted ?? {});
    const page = await this.call("list_sessions", wanted);
    return wanted ? page : page.sessions;
  }) as ClientSession["listSessions"];

  listKeptSessions = async (wanted: WantedPage = {}): Promise<ListedKeptSessions> => {
    checkGiven("listKeptSessions", "wantedPage", wanted);
    // An older server would list the sessions in memory.
    return this.server?.capabilities?.askwire?.kept_sessions
      ? this.call("list_sessions", { state: "kept", ...wanted })
      : { sessions: [] };
  };

  watchSessions = () => this.#inside.conversation.watched?.sessions.read() ?? unwatchable("watchSessions");

  listRequests = async (wanted: WantedRequests = {}) => {
    checkGiven("listRequests", "listRequests", wanted);
    return this.call("list_requests", wanted as Params<"list_requests">);
  };

  watchRequests = () => this.#inside.conversation.watched?.requests.read() ?? unwatchable("watchRequests");

  claim = async (request: ClaimedRequest) => this.call("claim", request);

  unclaim = async (request: ClaimedRequest) => this.call("unclaim", request);

  createSession = async () => (await this.call("create_session", undefined)).session;

  closeSession = async (id: string) => {
    await this.call("close_session", { session_id: id });
  };

  createPairingCode = async (wanted: WantedCode = {}) => {
    checkGiven("createPairingCode", "wantedCode", wanted);
    return this.call("create_pairing_code", wanted);
  };

  awaitPairing = async (code: string, options: Abortable = {}) =>
    (await this.call("await_pairing", { code }, signalOf("awaitPairing", options))).device;

  reconnect = () => this.#inside.reconnect();

  close = async (options: Abortable = {}) => {
    const signal = signalOf("close", options);
    const closed = this.#inside.kept.close();
    signal?.throwIfAborted();
    await (signal === undefined ? closed : untilAborted(signal, closed));
  };

  /** The conversation, in which no turn or replay of this client runs. */
  #free(method: string): ProfileConversation {
    const conversation = this.#inside.conversation;
    if (conversation.isBusy()) throw invalidState(`${method}: a turn or replay is running`);
    return conversation;
  }

  /** Over the current connection. */
  call: AgentPeer["request"] = (method, ...params) => this.#peer(method).request(method, ...params);

  /** The peer of the current connection, or of the last one, which refuses by itself. */
  #peer(method: string): AgentPeer {
    const { latest, state } = this.#inside.kept;
    if (latest !== undefined && state !== "lost") return latest.peer;
    throw new LocalError("CLOSED", `${method}: the connection is lost, and being opened again`);
  }
}

/** The params of a method of the server. */
type Params<M extends keyof HeardAgentMethods> = In<HeardAgentMethods[M]["params"]>;

function signalOf(method: string, given: Abortable): AbortSignal | undefined {
  checkGiven(method, "abortable", given);
  return given.signal;
}

function unwatchable(method: string): never {
  throw invalidState(`${method}: the connection has no extended profile`);
}

const invalidState = (message: string) => new LocalError("INVALID_STATE", message);
