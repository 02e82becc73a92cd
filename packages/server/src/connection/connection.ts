import {
  type AskwireCapabilities,
  bindPeer,
  type ClientCapabilities,
  type ClientMethods,
  type ClientRole,
  canShow,
  clientMethods,
  defaultLimits,
  extendedOffer,
  type Handlers,
  type InitializeParams,
  type Limits,
  type MessageChannel,
  type Peer,
  type ServedAgentMethods,
  servedAgentMethods,
  type UserInput,
  WireError,
} from "@askwire/protocol";
import { jsonText, tooDeepAt, tooManyAt } from "@askwire/protocol/internal";
import { validateCompiled } from "@askwire/protocol/node";
import type { ClientName } from "../profiles/profile.js";
import type { Clock } from "../runtime/clock.js";
import type { Log } from "../runtime/log.js";
import { uuid } from "../runtime/uuid.js";
import type { RemoteClient } from "../session/client.js";
import { EVENT_FRAME, PAYLOAD_NESTING, PAYLOAD_VALUES } from "../session/event-log.js";
import { errorForClients } from "../session/failure.js";
import { notAllowed } from "../session/not-allowed.js";
import type { ServedSession } from "../session/served-session.js";
import { agentError } from "../session/session-turn.js";
import { baseClient } from "./base-client.js";
import { type ClientSide, DRAINED_BYTES, type Line } from "./client-side.js";
import type { Entrance } from "./entrance.js";
import { extendedClient } from "./extended-client.js";
import { GatedChannel } from "./gated-channel.js";
import { grantOf, refusedOffers } from "./grant.js";
import { agentsWord, type Brought, bringOffers, initializeResult } from "./initialize.js";
import type { SessionMethods } from "./session-methods.js";

/** A server's hold on a connection, which may have no session yet. */
export interface ConnectionEnd {
  /** A new one for each connection. */
  readonly id: string;
  /** Undefined until the client has spoken, where it is to choose one. */
  session(): ServedSession | undefined;
  capabilities(): ClientCapabilities;
  close(code?: number, reason?: string): void;
  /** Resolves when nothing more will come. */
  readonly closed: Promise<void>;
}

export interface ConnectionOptions {
  readonly channel: MessageChannel;
  /** The way to its session. */
  readonly entrance: Entrance;
  /** True if the session may be one that is kept. */
  readonly mayBeKept: boolean;
  readonly server: { readonly name: string; readonly version: string };
  /** The time for which requests for a lost client alone stay open, in milliseconds. */
  readonly graceMs: number;
  /** True if the session ends with this connection. */
  readonly endsSession: boolean;
  /** The role of the client. Default: the client may do everything. */
  readonly role?: ClientRole;
  readonly limits?: Partial<Limits>;
  /** Default: clients of this connection cannot list, make or close sessions. */
  readonly sessions?: SessionMethods;
  readonly clock: Clock;
  readonly log: Log;
  /** True if the client is told the name and message of an exception (P-ERR-3). */
  readonly rawErrors: boolean;
}

/** A client that has spoken: its session, its side in its profile, and the client that the session knows. */
interface Present {
  readonly session: ServedSession;
  readonly side: ClientSide;
  readonly remote: RemoteClient;
}

/**
 * Binds a client to a session. The client is attached with its first request, `initialize` or another (P-INI-1 to
 * P-INI-5).
 */
export function createConnection(options: ConnectionOptions): ConnectionEnd {
  const { entrance, graceMs, log, rawErrors } = options;
  const grant = grantOf(options.role);
  const gated = options.mayBeKept ? new GatedChannel(options.channel, options.clock) : undefined;
  const channel = gated ?? options.channel;
  const { outboundLength = defaultLimits.outboundLength } = options.limits ?? {};
  const id = uuid();
  /** Undefined until the client made a request that was taken. */
  let present: Present | undefined;
  let client: ClientName = { name: "unknown", connection: id };
  let capabilities: ClientCapabilities = { supports_question: false, supports_plan_mode: false };
  let replaying: AbortController | undefined;
  let attached = false;
  let initialized = false;
  let prompts = 0;

  const handlers: Handlers<ServedAgentMethods> = grant.allowed({
    initialize(params, call) {
      if (initialized) refuseWhileBusy();
      const { session, side } = enter(params);
      initialized = true;
      if (params.client != null) client = { name: params.client.name.slice(0, MAX_NAME), connection: id };
      if (params.capabilities != null) capabilities = side.declared(params.capabilities);
      const introduce = () => {
        const brought = grant.may("prompt")
          ? bringOffers(session, side.id, params, attached)
          : refusedOffers(params);
        const reply = (brought: Brought) => {
          call.afterReply(attach);
          return { ...initializeResult(options.server, session, brought), ...side.introduced(params) };
        };
        return agentsWord(session, side.id, params, brought)?.then(reply) ?? reply(brought);
      };
      return session.ready === undefined ? introduce() : session.ready.then(introduce);
    },
    async prompt({ user_input, turn_id }, call) {
      refuseTooLarge("prompt", user_input, outboundLength);
      if (replaying !== undefined) throw new WireError("InvalidState", "A replay is in progress");
      const { session, side } = enter();
      if (!attached) attach();
      prompts += 1;
      const turnId = side.turnId(turn_id) ?? uuid();
      call.onCancel(() => session.cancel(turnId));
      try {
        const joined = prompts === 1 ? side.joinLeftTurn?.(user_input) : undefined;
        return await (joined ?? session.prompt(user_input, { by: client, turnId }));
      } catch (error) {
        throw agentError(error, turnId, rawErrors);
      } finally {
        prompts -= 1;
      }
    },
    steer({ user_input, steer_id }) {
      refuseTooLarge("steer", user_input, outboundLength);
      if (replaying !== undefined) throw new WireError("InvalidState", "No agent turn is in progress");
      enter().session.steer(user_input, client, steer_id);
      return { status: "steered" };
    },
    async replay(_params, call) {
      const { session, side } = enter();
      const { seam } = side;
      if (seam === undefined || replaying !== undefined) refuseWhileBusy();
      if (side.tellsHistory()) throw new WireError("InvalidState", "The history is being sent");
      const controller = new AbortController();
      call.onCancel(() => controller.abort());
      replaying = controller;
      try {
        return { ...(await session.replay(side.replayTarget(), controller.signal, seam)) };
      } finally {
        replaying = undefined;
      }
    },
    set_plan_mode({ enabled }) {
      const { session } = enter();
      if (!attached) attach();
      session.planMode = enabled;
      return { status: "ok", plan_mode: enabled };
    },
    cancel(_params, call) {
      if (replaying !== undefined) {
        const controller = replaying;
        call.afterReply(() => controller.abort());
        return {};
      }
      const { session } = enter();
      if (!session.running) throw new WireError("InvalidState", "No agent turn is in progress");
      call.afterReply(() => session.cancel());
      return {};
    },
  });

  const peer: Peer<ClientMethods> = bindPeer({
    channel,
    local: servedAgentMethods,
    remote: clientMethods,
    handlers,
    answerMalformed: true,
    validate: validateCompiled,
    ...(options.limits === undefined ? {} : { limits: options.limits }),
    onProblem: (message) => log.warn({ connection: id }, message),
    errorOf(error, method) {
      if (!(error instanceof WireError)) log.error({ connection: id, method, err: error }, "a method failed");
      return errorForClients(error, `\`${method}\` failed`, `connection ${id}`, rawErrors);
    },
  });

  /** Chooses session and profile by the first request that is taken; the profile stays (P-XAT-2, P-XNG-3). */
  function enter(params?: InitializeParams): Present {
    const shows = extendedOffer(params?.capabilities?.askwire);
    const mayName = present === undefined ? shows !== undefined : present.side.namesSession;
    const named = mayName ? params?.session?.id : undefined;
    if (present !== undefined && named === undefined) return present;
    const here = present?.session ?? entrance.session;
    if (!grant.may("prompt") && here === undefined && named === undefined) {
      throw notAllowed(
        "session.id: expected a session that is there, as a new one is made for other clients",
      );
    }
    const opens = grant.may("prompt") && params?.session?.open === true;
    const session = entrance.enter(here, named, opens);
    present ??= begin(session, shows);
    return present;
  }

  function begin(session: ServedSession, shows: AskwireCapabilities | undefined): Present {
    const line: Line = {
      connection: id,
      grant,
      session,
      peer,
      endsSession: options.endsSession,
      client: () => client,
      drained,
      bytesRead: () => channel.bytesRead ?? 0,
      sessions: options.sessions,
      clock: options.clock,
      log,
    };
    if (session.synced !== undefined) gated?.standBehind(session.synced);
    const side = shows === undefined ? baseClient(line) : extendedClient(line, shows);
    Object.assign(handlers, grant.allowed(side.methods));
    const own: Omit<RemoteClient, keyof ClientSide> = {
      capabilities: () => capabilities,
      canShow: (request) => canShow(request, capabilities),
      drained: () => drained(DRAINED_BYTES),
      close: (code, reason) => peer.close(code, reason),
    };
    // A spread makes a shape of its own for each connection: 400 bytes.
    const remote: RemoteClient = Object.assign(own, side);
    return { session, side, remote };
  }

  const drained = (bytes: number) => channel.drained(bytes);

  function refuseWhileBusy(): void {
    if (prompts > 0 || replaying !== undefined)
      throw new WireError("InvalidState", "An agent turn is already in progress");
  }

  function attach(): void {
    if (peer.isClosed) return;
    const { session, side, remote } = enter();
    attached = true;
    // The core knows which of the missed requests the client can show before the client is sent any.
    session.attach(remote);
    side.start();
  }

  return {
    id,
    session: () => present?.session ?? entrance.session,
    capabilities: () => capabilities,
    close: (code, reason) => peer.close(code, reason),
    closed: peer.closed.then((cause) => {
      if (cause !== undefined) log.warn({ connection: id, cause: cause.message }, "connection failed");
      replaying?.abort();
      present?.side.stop();
      (present?.session ?? entrance.session)?.detach(present?.remote, graceMs, options.endsSession);
    }),
  };
}

/** UTF-16 units of a client's name that others are told. */
const MAX_NAME = 100;

/** Refuses words that are too large, since they come back in an event with its own frame. */
function refuseTooLarge(method: "prompt" | "steer", input: UserInput, limit: number): void {
  const most = exceeded(jsonText([input]), limit - EVENT_FRAME);
  if (most === undefined) return;
  throw new WireError(
    "InvalidParams",
    `Invalid parameters for method \`${method}\`: user_input: expected at most ${most}`,
  );
}

/** The bound of an event's payload that a text is over, in words. */
function exceeded(text: string, room: number): string | undefined {
  if (text.length > room) return `${room} characters`;
  if (tooManyAt(text, PAYLOAD_VALUES) !== -1) return `${PAYLOAD_VALUES} values`;
  return tooDeepAt(text, PAYLOAD_NESTING) === -1 ? undefined : `${PAYLOAD_NESTING - 1} levels of nesting`;
}
