import {
  type AgentMethods,
  agentMethods,
  bindPeer,
  type Call,
  type ClientCapabilities,
  type ClientMethods,
  canShow,
  clientMethods,
  defaultLimits,
  effectiveVersion,
  type Handlers,
  hookEvents,
  type InitializeResult,
  knowsEvent,
  type Limits,
  type MessageChannel,
  type Peer,
  PROTOCOL_VERSION,
  type RequestResponse,
  type RequestType,
  type UserInput,
  WireError,
  type WireEventInput,
} from "@askwire/protocol";
import { validateCompiled } from "@askwire/protocol/node";
import { answeredId, type ClientName, readAnswer, readFailure, wireRequest } from "./base-profile.js";
import { Cells } from "./cells.js";
import type { RegisteredTools } from "./external-tools.js";
import type { AnyInteraction, Recipient } from "./interaction/core.js";
import type { ReplayTarget } from "./journal/replay.js";
import type { Log } from "./log.js";
import type { Session } from "./session.js";
import { compactUuid } from "./uuid.js";
import { wireIds } from "./wire-ids.js";

/** One client of a session. */
export interface Connection extends Recipient {
  /** What the client declared that it can show. */
  capabilities(): ClientCapabilities;
  /** Sends an event, unless the client is too old to know it. */
  tell(event: WireEventInput): void;
  /** Resolves once the client has taken most of what it was sent. */
  drained(): Promise<void>;
  /** Ends it after what was sent; `code` is one of `closeCodes`, for transports that have such. */
  close(code?: number, reason?: string): void;
  /** Resolves when nothing more will come. */
  readonly closed: Promise<void>;
}

export interface ConnectionOptions {
  readonly channel: MessageChannel;
  readonly session: Session;
  readonly server: { readonly name: string; readonly version: string };
  /** How long what only this client could answer waits for somebody after it is lost, in milliseconds. */
  readonly graceMs: number;
  readonly limits?: Partial<Limits>;
  readonly log: Log;
}

/** Streaming waits for a client that has more than this much unread. */
const DRAINED_BYTES = 1024 * 1024;

/** Binds a client to a session. It is attached with its first request, `initialize` or another (P-INI-1 to P-INI-5). */
export function createConnection(options: ConnectionOptions): Connection {
  const { channel, session, graceMs } = options;
  const { outboundLength = defaultLimits.outboundLength } = options.limits ?? {};
  const id = compactUuid();
  const log = options.log;
  const calls = new Cells<Call>();
  const ids = wireIds();
  let client: ClientName = { name: "unknown", connection: id };
  let version = effectiveVersion(undefined);
  let capabilities: ClientCapabilities = { supports_question: false, supports_plan_mode: false };
  let hooked = false;
  let replaying: AbortController | undefined;
  let ready = false;
  let initialized = false;
  let prompts = 0;

  const handlers: Handlers<AgentMethods> = {
    initialize(params, call) {
      if (initialized) refuseWhileBusy();
      initialized = true;
      version = effectiveVersion(params.protocol_version);
      if (params.client != null) client = { name: params.client.name, connection: id };
      if (params.capabilities != null) capabilities = params.capabilities;
      const hooks = params.hooks ?? [];
      hooked = hooks.length > 0;
      const registered = session.externalTools.register(
        id,
        params.external_tools ?? [],
        session.builtinTools,
      );
      call.afterReply(attach);
      return initializeResult(options.server, session, registered, session.hooks.subscribe(id, hooks));
    },
    async prompt({ user_input }) {
      refuseTooLong("prompt", user_input, outboundLength);
      if (replaying !== undefined) throw new WireError("InvalidState", "A replay is in progress");
      if (!ready) attach();
      prompts += 1;
      try {
        return await session.prompt(user_input);
      } finally {
        prompts -= 1;
      }
    },
    steer({ user_input }) {
      refuseTooLong("steer", user_input, outboundLength);
      if (replaying !== undefined) throw new WireError("InvalidState", "No agent turn is in progress");
      session.steer(user_input);
      return { status: "steered" };
    },
    async replay() {
      refuseWhileBusy();
      const controller = new AbortController();
      replaying = controller;
      try {
        return { ...(await session.replay(replayTarget, controller.signal)) };
      } finally {
        replaying = undefined;
      }
    },
    set_plan_mode({ enabled }) {
      if (!ready) attach();
      session.planMode = enabled;
      return { status: "ok", plan_mode: enabled };
    },
    cancel(_params, call) {
      if (replaying !== undefined) {
        const controller = replaying;
        call.afterReply(() => controller.abort());
        return {};
      }
      if (!session.running) throw new WireError("InvalidState", "No agent turn is in progress");
      call.afterReply(() => session.cancel());
      return {};
    },
  };

  const peer: Peer<ClientMethods> = bindPeer({
    channel,
    local: agentMethods,
    remote: clientMethods,
    handlers,
    answerMalformed: true,
    validate: validateCompiled,
    ...(options.limits === undefined ? {} : { limits: options.limits }),
    onProblem: (message) => log.warn({ connection: id }, message),
  });

  function refuseWhileBusy(): void {
    if (prompts > 0 || replaying !== undefined)
      throw new WireError("InvalidState", "An agent turn is already in progress");
  }

  /** Whether the client is new enough for an event, also for one inside a sub-agent's. */
  function knows({ type, payload }: WireEventInput): boolean {
    if (!knowsEvent(version, type, hooked)) return false;
    // Of a recorded one, what lies deeper was not validated.
    const inner = type === "SubagentEvent" ? (payload?.event as WireEventInput | undefined) : undefined;
    return inner === undefined || knows(inner);
  }

  /** Sends an event, unless the client is too old to know it. */
  function send(event: WireEventInput): boolean {
    const { type, payload } = event;
    if (peer.isClosed || !knows(event)) return false;
    try {
      peer.tell("event", type, payload);
      return true;
    } catch (error) {
      // What one client cannot be told must not keep the others, or the turn, from going on.
      log.error({ connection: id, type, error: String(error) }, "an event could not be sent");
      return false;
    }
  }

  /** What was sent once, to this client alone: its answers to such requests settle nothing (P-JRN-10). */
  const replayTarget: ReplayTarget = {
    event: (type, payload) => send({ type, payload } as WireEventInput),
    request(type, payload) {
      const { id: requestId } = payload as { id: string };
      try {
        peer.ask("request", type as RequestType, payload as never, requestId, () => {}).forget();
        return true;
      } catch (error) {
        log.error({ connection: id, type, error: String(error) }, "a request could not be replayed");
        return false;
      }
    },
    drained: () => channel.drained(DRAINED_BYTES),
  };

  function attach(): void {
    if (peer.isClosed) return;
    ready = true;
    session.attach(connection);
  }

  /** Puts a request to the client and hands its word to the core, which decides whether it counts (P-ID-2). */
  function put(request: AnyInteraction): Call {
    const wireId = ids.take(request);
    const { type, payload } = wireRequest(request, wireId);
    try {
      return peer.ask("request", type, payload, wireId, (answer) => {
        if (!calls.delete(request.id)) return;
        ids.free(wireId);
        if (answer.ok) answered(request, wireId, answer.value);
        else failed(request, answer.error);
      });
    } catch (error) {
      ids.free(wireId);
      throw error;
    }
  }

  function answered(request: AnyInteraction, wireId: string, response: RequestResponse<RequestType>): void {
    const named = answeredId(response);
    if (named !== wireId) log.warn({ connection: id, request: named }, "answered with another request_id");
    const refusal = session.core.answer(request.id, id, () => readAnswer(request, response, client));
    if (refusal !== undefined) log.warn({ connection: id, request: request.id, refusal }, "late answer");
  }

  function failed(request: AnyInteraction, error: unknown): void {
    const failure = readFailure(request, error, client);
    if (failure === undefined) return;
    log.warn({ connection: id, request: request.id, failure }, "a request failed at the client");
    if ("outcome" in failure) session.core.answer(request.id, id, () => failure);
    else session.core.fail(request.id, id, failure.reason, failure.note);
  }

  const connection: Connection = {
    id,
    // No getter: V8 keeps an object that has one of its own as a dictionary, larger and slower.
    capabilities: () => capabilities,
    canShow: (request) => canShow(request, capabilities),
    show(request) {
      try {
        calls.set(request.id, put(request));
      } catch (error) {
        failed(request, error);
      }
    },
    settled(request) {
      calls.take(request.id)?.forget();
    },
    tell: (event) => void send(event),
    drained: () => channel.drained(DRAINED_BYTES),
    close: (code, reason) => peer.close(code, reason),
    closed: peer.closed.then((cause) => {
      if (cause !== undefined) log.warn({ connection: id, cause: cause.message }, "connection failed");
      replaying?.abort();
      session.detach(connection, graceMs);
    }),
  };
  return connection;
}

/** What a person says comes back in an event, so it must fit there with what surrounds it. */
function refuseTooLong(method: "prompt" | "steer", input: UserInput, limit: number): void {
  const room = limit - 1024;
  if (JSON.stringify(input).length <= room) return;
  throw new WireError(
    "InvalidParams",
    `Invalid parameters for method \`${method}\`: user_input: expected at most ${room} characters`,
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
