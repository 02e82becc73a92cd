import {
  type AgentMethods,
  type AskwireCapabilities,
  allAgentMethods,
  bindPeer,
  type ClientCapabilities,
  type ClientMethods,
  canShow,
  clientMethods,
  defaultLimits,
  type Handlers,
  hookEvents,
  type InitializeParams,
  type InitializeResult,
  type Limits,
  type MessageChannel,
  type Peer,
  PROTOCOL_VERSION,
  type UserInput,
  WireError,
} from "@askwire/protocol";
import { jsonText, tooDeepAt } from "@askwire/protocol/internal";
import { validateCompiled } from "@askwire/protocol/node";
import { v4 as uuid } from "uuid";
import { baseProfile } from "../profiles/base-profile.js";
import type { Clock } from "../runtime/clock.js";
import type { Log } from "../runtime/log.js";
import { compactUuid } from "../runtime/uuid.js";
import type { RemoteClient } from "../session/attached.js";
import { EVENT_FRAME, PAYLOAD_NESTING } from "../session/event-log.js";
import type { RegisteredTools } from "../session/external-tools.js";
import { errorForClients } from "../session/failure.js";
import type { Session } from "../session/session.js";
import { agentError } from "../session/session-turn.js";
import { baseClient, DRAINED_BYTES } from "./base-client.js";
import type { Entrance } from "./entrance.js";
import { type ExtendedClient, extendedClient } from "./extended-client.js";
import type { SessionMethods } from "./extended-methods.js";
import { type PutTo, putRequests } from "./put-requests.js";

/** What a server holds of a connection, which may have no session yet. */
export interface ConnectionEnd {
  /** A new one for each connection. */
  readonly id: string;
  /** Undefined until the client has spoken, where it is to choose one. */
  readonly session: Session | undefined;
  capabilities(): ClientCapabilities;
  close(code?: number, reason?: string): void;
  /** Resolves when nothing more will come. */
  readonly closed: Promise<void>;
}

export interface ConnectionOptions {
  readonly channel: MessageChannel;
  /** The way to its session. */
  readonly entrance: Entrance;
  readonly server: { readonly name: string; readonly version: string };
  /** How long what only this client could answer waits for somebody after it is lost, in milliseconds. */
  readonly graceMs: number;
  readonly limits?: Partial<Limits>;
  /** Default: clients of this connection cannot list, make or close sessions. */
  readonly sessions?: SessionMethods;
  readonly clock: Clock;
  readonly log: Log;
  /** Whether the client is told the name and message of an exception (P-ERR-3). */
  readonly rawErrors: boolean;
}

/** Binds a client to a session. It is attached with its first request, `initialize` or another (P-INI-1 to P-INI-5). */
export function createConnection(options: ConnectionOptions): ConnectionEnd {
  const { channel, entrance, graceMs, log, rawErrors } = options;
  const { outboundLength = defaultLimits.outboundLength } = options.limits ?? {};
  const id = compactUuid();
  let session = entrance.session;
  let extended: ExtendedClient | undefined;
  let capabilities: ClientCapabilities = { supports_question: false, supports_plan_mode: false };
  let replaying: AbortController | undefined;
  /** Whether it said anything that was taken: its profile is decided then. */
  let spoke = false;
  let attached = false;
  let initialized = false;
  /** Whether it said who it is, or what it can show. */
  let named = false;
  let prompts = 0;

  const handlers: Handlers<AgentMethods> = {
    initialize(params, call) {
      if (initialized) refuseWhileBusy();
      const first = !spoke;
      const offered = params.capabilities?.askwire ?? undefined;
      const mayName = extended !== undefined || (first && offered !== undefined);
      const here = enter(mayName ? params.session?.id : undefined);
      if (first && offered !== undefined) extend(offered, here);
      initialized = true;
      named ||= params.client != null || params.capabilities != null;
      base.introduce(named ? params.protocol_version : undefined, (params.hooks ?? []).length > 0);
      if (params.client != null) to.client = { name: params.client.name.slice(0, MAX_NAME), connection: id };
      if (params.capabilities != null) capabilities = declared(params.capabilities);
      const tools = offeredTools(params, here);
      const configured = subscribedHooks(params, here);
      call.afterReply(attach);
      return {
        ...initializeResult(options.server, here, tools, configured),
        ...extended?.introduced(params.session ?? undefined),
      };
    },
    async prompt({ user_input, turn_id }, call) {
      refuseTooLarge("prompt", user_input, outboundLength);
      if (replaying !== undefined) throw new WireError("InvalidState", "A replay is in progress");
      const here = enter();
      if (!attached) attach();
      prompts += 1;
      // To a base client `turn_id` is a member that this page does not name (P-ENV-10).
      const turnId = (extended === undefined ? undefined : turn_id) ?? uuid();
      call.onCancel(() => here.cancel(turnId));
      try {
        return await here.prompt(user_input, { by: to.client, turnId });
      } catch (error) {
        throw agentError(error, turnId, rawErrors);
      } finally {
        prompts -= 1;
      }
    },
    steer({ user_input }) {
      refuseTooLarge("steer", user_input, outboundLength);
      if (replaying !== undefined) throw new WireError("InvalidState", "No agent turn is in progress");
      enter().steer(user_input, to.client);
      return { status: "steered" };
    },
    async replay(_params, call) {
      refuseWhileBusy();
      const here = enter();
      const controller = new AbortController();
      call.onCancel(() => controller.abort());
      replaying = controller;
      try {
        return { ...(await here.replay((extended ?? base).replayTarget, controller.signal)) };
      } finally {
        replaying = undefined;
      }
    },
    set_plan_mode({ enabled }) {
      const here = enter();
      if (!attached) attach();
      here.planMode = enabled;
      return { status: "ok", plan_mode: enabled };
    },
    cancel(_params, call) {
      if (replaying !== undefined) {
        const controller = replaying;
        call.afterReply(() => controller.abort());
        return {};
      }
      const here = enter();
      if (!here.running) throw new WireError("InvalidState", "No agent turn is in progress");
      call.afterReply(() => here.cancel());
      return {};
    },
  };

  const peer: Peer<ClientMethods> = bindPeer({
    channel,
    local: allAgentMethods,
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

  /** The session, which is chosen with the first request. */
  function enter(named?: string): Session {
    if (session === undefined || named !== undefined) session = entrance.enter(session, named);
    spoke = true;
    return session;
  }

  /** An extended client is known for good by its own id, if it has one; a base client stays one (P-XNG-3). */
  function extend(shows: AskwireCapabilities, here: Session): void {
    if (shows.client_id !== undefined) {
      to.recipientId = `client:${shows.client_id.toLowerCase()}`;
      connection.id = to.recipientId;
      connection.returns = true;
    }
    extended = extendedClient({
      connection: id,
      shows,
      session: here,
      peer,
      drained: (bytes) => channel.drained(bytes),
      answerer: () => to,
      put: (request) => requests.put(request),
      sessions: options.sessions,
      clock: options.clock,
      log,
    });
    to.profile = extended.profile;
    to.marks = extended.marks;
    Object.assign(handlers, extended.methods);
  }

  function declared({ askwire: _decided, ...base }: ClientCapabilities): ClientCapabilities {
    return extended === undefined ? base : { ...base, askwire: extended.shows };
  }

  /** Where a client comes back and says nothing of tools, those that it had are still its own (P-XAT-1). */
  function offeredTools({ external_tools }: InitializeParams, here: Session): RegisteredTools {
    if (external_tools == null && extended !== undefined && !attached) return none;
    return here.externalTools.register(to.recipientId, external_tools ?? [], here.builtinTools);
  }

  /** Likewise for hooks. */
  function subscribedHooks({ hooks }: InitializeParams, here: Session): Record<string, number> {
    if (hooks == null && extended !== undefined && !attached) return here.hooks.configured(to.recipientId);
    return here.hooks.subscribe(to.recipientId, hooks ?? []);
  }

  function refuseWhileBusy(): void {
    if (prompts > 0 || replaying !== undefined)
      throw new WireError("InvalidState", "An agent turn is already in progress");
  }

  const drained = () => channel.drained(DRAINED_BYTES);

  const base = baseClient({ connection: id, peer, drained, log });

  function attach(): void {
    if (peer.isClosed) return;
    attached = true;
    extended?.start();
    enter().attach(connection);
  }

  const to: PutTo = {
    peer,
    core: () => enter().core,
    recipientId: id,
    client: { name: "unknown", connection: id },
    profile: baseProfile,
    marks: undefined,
  };
  const requests = putRequests(id, to, log);

  const connection: RemoteClient = {
    // No getters: V8 keeps an object that has such of its own as a dictionary, larger and slower.
    id,
    returns: false,
    capabilities: () => capabilities,
    canShow: (request) => canShow(request, capabilities),
    showsDeadlines: () => extended?.shows.deadline === true,
    show: (request) => (extended === undefined ? requests.put(request) : extended.show(request)),
    settled: (request) => requests.settled(request, extended?.tellsOf(request) === true),
    tell(event) {
      if (extended === undefined) base.tell(event);
    },
    drained,
    close: (code, reason) => peer.close(code, reason),
  };

  return {
    id,
    get session() {
      return session;
    },
    capabilities: () => capabilities,
    close: (code, reason) => peer.close(code, reason),
    closed: peer.closed.then((cause) => {
      if (cause !== undefined) log.warn({ connection: id, cause: cause.message }, "connection failed");
      replaying?.abort();
      extended?.stop();
      session?.detach(connection, graceMs);
    }),
  };
}

const none: RegisteredTools = { accepted: [], rejected: [] };

/** UTF-16 units of a client's name that others are told. */
const MAX_NAME = 100;

/** What a person says comes back in an event, so it must fit there with what surrounds it. */
function refuseTooLarge(method: "prompt" | "steer", input: UserInput, limit: number): void {
  const room = limit - EVENT_FRAME;
  const text = jsonText([input]);
  const isTooLong = text.length > room;
  if (!isTooLong && tooDeepAt(text, PAYLOAD_NESTING) === -1) return;
  const most = isTooLong ? `${room} characters` : `${PAYLOAD_NESTING - 1} levels of nesting`;
  throw new WireError(
    "InvalidParams",
    `Invalid parameters for method \`${method}\`: user_input: expected at most ${most}`,
  );
}

function initializeResult(
  server: { readonly name: string; readonly version: string },
  session: Session,
  { accepted, rejected }: RegisteredTools,
  configured: Record<string, number>,
): InitializeResult {
  return {
    protocol_version: PROTOCOL_VERSION,
    server: { name: server.name, version: server.version },
    slash_commands: session.commands.map(({ name, description, aliases = [] }) => ({
      name,
      description,
      aliases: [...aliases],
    })),
    ...(accepted.length + rejected.length === 0 ? {} : { external_tools: { accepted, rejected } }),
    hooks: { supported_events: [...hookEvents], configured },
    capabilities: { supports_question: true },
  };
}
