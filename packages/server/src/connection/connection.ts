import {
  type AskwireCapabilities,
  bindPeer,
  type ClientCapabilities,
  type ClientMethods,
  type ClientRole,
  clientMethods,
  defaultLimits,
  extendedOffer,
  type Handlers,
  type IncomingCall,
  type InitializeParams,
  type Limits,
  type MessageChannel,
  type Peer,
  type Principal,
  type PromptResult,
  type ServedAgentMethods,
  servedAgentMethods,
  type UserInput,
  WireError,
} from "@askwire/protocol";
import { invalidParams, jsonText, tooDeepAt, tooManyAt } from "@askwire/protocol/internal";
import { validateCompiled } from "@askwire/protocol/node";
import type { ClientName } from "../profiles/profile.js";
import type { PersonWithRoles } from "../requests/addressing.js";
import { holderId } from "../requests/request-claims.js";
import type { Clock } from "../runtime/clock.js";
import type { Log } from "../runtime/log.js";
import { uuid } from "../runtime/uuid.js";
import { EVENT_FRAME, PAYLOAD_NESTING, PAYLOAD_VALUES } from "../session/event-log.js";
import { errorForClients } from "../session/failure.js";
import { notAllowed } from "../session/not-allowed.js";
import { NotKept } from "../session/not-kept.js";
import type { Pairing } from "../session/pairing-code.js";
import type { ServedSession } from "../session/served-session.js";
import { agentError } from "../session/session-turn.js";
import { BaseClient } from "./base-client.js";
import { actingClient, type ClientSide, type ConnectionParts } from "./client-side.js";
import type { Entrance } from "./entrance.js";
import { ExtendedClient } from "./extended-client.js";
import { GatedChannel } from "./gated-channel.js";
import { type Grant, grantOf, refusedOffers } from "./grant.js";
import { agentsWord, type Brought, bringOffers, initializeResult } from "./initialize.js";
import { Lobby, lobbyResult, wantsLobby } from "./lobby.js";
import type { SessionMethods } from "./session-methods.js";

export interface ConnectionOptions {
  readonly channel: MessageChannel;
  /** The way to its session. */
  readonly entrance: Entrance;
  /** True if the session may be one that is kept, or takes time to be opened. */
  readonly mayBeKept: boolean;
  readonly server: { readonly name: string; readonly version: string };
  /** The time for which requests for a lost client alone stay open, in milliseconds. */
  readonly graceMs: number;
  /** True if the session ends with this connection. */
  readonly endsSession: boolean;
  /** The role of the client; undefined for one that may do everything. */
  readonly role: ClientRole | undefined;
  /** The person that the client was let in as; undefined where the door knows none. */
  readonly principal: Principal | undefined;
  /** That person, with the roles of this moment (P-XTO-4). */
  readonly person: () => PersonWithRoles;
  readonly limits: Partial<Limits>;
  /** Undefined where clients of this connection cannot list, make or close sessions. */
  readonly sessions: SessionMethods | undefined;
  /** Undefined where no codes for devices are made. */
  readonly pairing: Pairing | undefined;
  readonly clock: Clock;
  readonly log: Log;
  /** True if the client is told the name and message of an exception (P-ERR-3). */
  readonly rawErrors: boolean;
}

/** A client that has spoken: its session, and its side in its profile, which the session knows. */
interface Present {
  readonly session: ServedSession;
  readonly side: ClientSide;
}

/**
 * A client on a channel, bound to a session. The client is attached with its first request, `initialize` or another
 * (P-INI-1 to P-INI-5).
 */
export class ClientConnection {
  /** A new one for each connection. */
  readonly id = uuid();
  /** Resolves when nothing more will come. */
  readonly closed: Promise<void>;
  readonly #options: ConnectionOptions;
  readonly #grant: Grant;
  readonly #gated: GatedChannel | undefined;
  readonly #channel: MessageChannel;
  readonly #handlers: Handlers<ServedAgentMethods>;
  readonly #peer: Peer<ClientMethods>;
  /** Undefined until the client made a request that was taken. */
  #present: Present | undefined;
  /** Set for a client that joined no session. */
  #lobby: Lobby | undefined;
  #client: ClientName = { name: "unknown", connection: this.id };
  #capabilities: ClientCapabilities = { supports_question: false, supports_plan_mode: false };
  #initialized = false;
  #attached = false;
  /** The number of prompts that are not replied to. */
  #prompts = 0;
  /** Stops the replay in progress. */
  #replaying: AbortController | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#grant = grantOf(options.role);
    this.#gated = options.mayBeKept ? new GatedChannel(options.channel, options.clock) : undefined;
    this.#channel = this.#gated ?? options.channel;
    this.#handlers = this.#grant.allowed(this.#methods());
    this.#peer = this.#bind();
    const { ready } = options.entrance;
    if (ready !== undefined) this.#gated?.hold(ready);
    this.closed = this.#peer.closed.then((cause) => this.#end(cause));
  }

  /** Undefined until the client has spoken, where it is to choose one. */
  session(): ServedSession | undefined {
    return this.#present?.session ?? this.#options.entrance.session;
  }

  capabilities(): ClientCapabilities {
    return this.#capabilities;
  }

  /** The id of the one who takes requests by it (P-XCM-2). */
  get holderId(): string {
    return holderId(this.#options.principal, this.#present?.side.id ?? this.id);
  }

  close(code?: number, reason?: string): void {
    this.#peer.close(code, reason);
  }

  /** Persons have other roles: the client is shown what is for its person now, and nothing else (P-XTO-2). */
  readdress(): void {
    if (this.#attached && this.#present !== undefined) this.#present.session.readdress(this.#present.side);
  }

  #bind(): Peer<ClientMethods> {
    const { limits, log, rawErrors } = this.#options;
    const connection = this.id;
    return bindPeer({
      channel: this.#channel,
      local: servedAgentMethods,
      remote: clientMethods,
      handlers: this.#handlers,
      answerMalformed: true,
      validate: validateCompiled,
      limits,
      onProblem: (message) => log.warn({ connection }, message),
      errorOf(error, method, call) {
        if (error instanceof NotKept && call !== undefined) call.isAhead = true;
        if (!(error instanceof WireError)) log.error({ connection, method, err: error }, "a method failed");
        return errorForClients(error, `\`${method}\` failed`, `connection ${connection}`, rawErrors);
      },
    });
  }

  #methods(): Handlers<ServedAgentMethods> {
    return {
      initialize: (params, call) => this.#initialize(params, call),
      prompt: ({ user_input, turn_id }, call) => this.#prompt(user_input, turn_id, call),
      steer: ({ user_input, steer_id }) => this.#steer(user_input, steer_id),
      replay: (_params, call) => this.#within(undefined, (present) => this.#replay(present, call)),
      set_plan_mode: ({ enabled }) =>
        this.#within(undefined, (present) => this.#setPlanMode(present, enabled)),
      cancel: (_params, call) => this.#cancel(call),
    };
  }

  #initialize(params: InitializeParams, call: IncomingCall) {
    if (this.session() === undefined && wantsLobby(params) && this.#options.sessions !== undefined)
      return this.#stay(this.#options.sessions, params, call);
    if (this.#initialized) this.#refuseWhileBusy();
    return this.#within(params, (present) => {
      const { session, side } = present;
      this.#initialized = true;
      if (params.client != null)
        this.#client = { name: params.client.name.slice(0, MAX_NAME), connection: this.id };
      if (params.capabilities != null) this.#capabilities = side.declared(params.capabilities);
      const introduce = () => this.#introduce(present, params, call);
      const { ready } = session.agent.now;
      return ready === undefined ? introduce() : ready.then(introduce);
    });
  }

  /** Keeps a client out of every session, as it wants (P-XLB-1). */
  #stay(sessions: SessionMethods, params: InitializeParams, call: IncomingCall) {
    const { clock, log, server, pairing, principal, person } = this.#options;
    const drained = (bytes: number) => this.#channel.drained(bytes);
    if (params.client != null)
      this.#client = { name: params.client.name.slice(0, MAX_NAME), connection: this.id };
    const client = () => this.#client;
    const line = { connection: this.id, principal, person, client, peer: this.#peer, drained, clock, log };
    const lobby = new Lobby(line, sessions, pairing);
    this.#lobby = lobby;
    Object.assign(this.#handlers, this.#grant.allowed(lobby.methods));
    call.afterReply(() => this.#peer.isClosed || lobby.start());
    return lobbyResult(server, this.#grant, sessions, pairing);
  }

  #introduce({ session, side }: Present, params: InitializeParams, call: IncomingCall) {
    const brought = this.#grant.may("prompt")
      ? bringOffers(session, side.id, params, this.#attached)
      : refusedOffers(params);
    const reply = (taken: Brought) => {
      call.afterReply(() => this.#attach({ session, side }));
      return { ...initializeResult(this.#options.server, session, taken), ...side.introduced(params) };
    };
    return agentsWord(session, side.id, params, brought)?.then(reply) ?? reply(brought);
  }

  /** Returns a promise without `async`: such a function keeps 300 bytes while it waits, for each turn. */
  #prompt(input: UserInput, givenId: string | undefined, call: IncomingCall): Promise<PromptResult> {
    try {
      this.#refuseTooLarge("prompt", input);
      if (this.#replaying !== undefined) throw new WireError("InvalidState", "A replay is in progress");
      return this.#within(undefined, (present) => {
        const { session, side } = present;
        if (!this.#attached) this.#attach(present);
        return this.#turn(session, side.turnId(givenId) ?? uuid(), input, call);
      });
    } catch (error) {
      return Promise.reject(error);
    }
  }

  #turn(session: ServedSession, turnId: string, input: UserInput, call: IncomingCall): Promise<PromptResult> {
    const failed = (error: unknown): never => {
      this.#prompts -= 1;
      throw agentError(error, turnId, this.#options.rawErrors);
    };
    this.#prompts += 1;
    call.onCancel(() => session.cancel(turnId));
    try {
      const joined = this.#prompts === 1 ? this.#present?.side.joinLeftTurn?.(input) : undefined;
      const result =
        joined ?? session.prompt(input, { by: actingClient(this.#client, this.#options.principal), turnId });
      return result.then((ended) => {
        this.#prompts -= 1;
        return ended;
      }, failed);
    } catch (error) {
      return failed(error);
    }
  }

  #steer(input: UserInput, steerId: string | undefined) {
    this.#refuseTooLarge("steer", input);
    if (this.#replaying !== undefined) throw noTurn();
    return this.#within(undefined, ({ session }) => {
      const who = { person: this.#options.person(), holderId: this.holderId };
      session.steer(input, this.#client, steerId, who);
      return { status: "steered" as const };
    });
  }

  async #replay({ session, side }: Present, call: IncomingCall) {
    const { seam } = side;
    if (seam === undefined || this.#replaying !== undefined) this.#refuseWhileBusy();
    if (side.tellsHistory()) throw new WireError("InvalidState", "The history is being sent");
    const controller = new AbortController();
    call.onCancel(() => controller.abort());
    this.#replaying = controller;
    try {
      return { ...(await session.past.replay(side.replayTarget(), controller.signal, seam)) };
    } finally {
      this.#replaying = undefined;
    }
  }

  #setPlanMode(present: Present, enabled: boolean) {
    const { session } = present;
    if (!this.#attached) this.#attach(present);
    session.planMode = enabled;
    return { status: "ok" as const, plan_mode: enabled };
  }

  #cancel(call: IncomingCall) {
    const replaying = this.#replaying;
    if (replaying !== undefined) {
      call.afterReply(() => replaying.abort());
      return {};
    }
    return this.#within(undefined, ({ session }) => {
      if (!session.running) throw noTurn();
      call.afterReply(() => session.cancel());
      return {};
    });
  }

  #refuseWhileBusy(): void {
    if (this.#prompts > 0 || this.#replaying !== undefined)
      throw new WireError("InvalidState", "An agent turn is already in progress");
  }

  #refuseTooLarge(method: "prompt" | "steer", input: UserInput): void {
    refuseTooLarge(method, input, this.#options.limits.outboundLength ?? defaultLimits.outboundLength);
  }

  /**
   * Acts in the session, which the first request that is taken chooses with the profile; the profile stays (P-XAT-2,
   * P-XNG-3). While the session is being opened, nothing more of the client is read.
   */
  #within<T>(params: InitializeParams | undefined, act: (present: Present) => T): T | Promise<Awaited<T>> {
    const present = this.#present;
    const shows = extendedOffer(params?.capabilities?.askwire);
    const mayName = present === undefined ? shows !== undefined : present.side.namesSession;
    const named = mayName ? params?.session?.id : undefined;
    if (present !== undefined && named === undefined) return act(present);
    const here = this.session();
    const makes = this.#grant.may("prompt");
    if (!makes && here === undefined && named === undefined && this.#options.entrance.ready === undefined) {
      throw notAllowed(
        "session.id: expected a session that is there, as a new one is made for other clients",
      );
    }
    const opens = makes && params?.session?.open === true;
    const join = (session: ServedSession) => {
      this.#present ??= this.#begin(session, shows);
      return act(this.#present);
    };
    const opening = this.#options.entrance.enter(here, named, opens);
    if (!(opening instanceof Promise)) return join(opening);
    // A turn of the loop later, so that a reply that is made at once leaves before the next message is read.
    this.#gated?.hold(opening.then(nextTurn, nextTurn));
    return opening.then(join) as Promise<Awaited<T>>;
  }

  #begin(session: ServedSession, shows: AskwireCapabilities | undefined): Present {
    const line = this.#line(session);
    if (session.synced !== undefined) this.#gated?.standBehind(session.synced);
    const side = shows === undefined ? new BaseClient(line) : new ExtendedClient(line, shows);
    Object.assign(this.#handlers, this.#grant.allowed(side.methods));
    return { session, side };
  }

  #line(session: ServedSession): ConnectionParts {
    const { endsSession, principal, person, sessions, pairing, clock, log } = this.#options;
    return {
      connection: this.id,
      grant: this.#grant,
      session,
      peer: this.#peer,
      endsSession,
      client: () => this.#client,
      principal,
      person,
      capabilities: () => this.#capabilities,
      drained: (bytes) => this.#channel.drained(bytes),
      bytesRead: () => this.#channel.bytesRead ?? 0,
      sessions,
      pairing,
      clock,
      log,
    };
  }

  #attach({ session, side }: Present): void {
    if (this.#peer.isClosed) return;
    this.#attached = true;
    // The core knows which of the missed requests the client can show before the client is sent any.
    session.attach(side);
    side.start();
  }

  #end(cause: Error | undefined): void {
    const { log, graceMs, endsSession } = this.#options;
    if (cause !== undefined) log.warn({ connection: this.id, cause: cause.message }, "connection failed");
    this.#replaying?.abort();
    this.#options.entrance.leave();
    this.#present?.side.stop();
    this.#lobby?.stop();
    this.session()?.detach(this.#present?.side, graceMs, endsSession);
  }
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

const noTurn = () => new WireError("InvalidState", "No agent turn is in progress");

/** UTF-16 units of a client's name that others are told. */
const MAX_NAME = 100;

/** Refuses words that are too large, since they come back in an event with its own frame. */
function refuseTooLarge(method: "prompt" | "steer", input: UserInput, limit: number): void {
  const most = exceeded(jsonText([input]), limit - EVENT_FRAME);
  if (most !== undefined) throw invalidParams(method, `user_input: expected at most ${most}`);
}

/** The bound of an event's payload that a text is over, in words. */
function exceeded(text: string, room: number): string | undefined {
  if (text.length > room) return `${room} characters`;
  if (tooManyAt(text, PAYLOAD_VALUES) !== -1) return `${PAYLOAD_VALUES} values`;
  return tooDeepAt(text, PAYLOAD_NESTING) === -1 ? undefined : `${PAYLOAD_NESTING - 1} levels of nesting`;
}
