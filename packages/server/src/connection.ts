import {
  type AgentMethods,
  agentMethods,
  bindPeer,
  type Call,
  Cells,
  type ClientCapabilities,
  type ClientMethods,
  canShow,
  clientMethods,
  defaultLimits,
  effectiveVersion,
  type Handlers,
  type InitializeParams,
  type InitializeResult,
  knowsEvent,
  type Limits,
  type MessageChannel,
  type Peer,
  PROTOCOL_VERSION,
  type UserInput,
  WireError,
  type WireEventInput,
} from "@askwire/protocol";
import { validateCompiled } from "@askwire/protocol/node";
import { v4 as uuid } from "uuid";
import {
  approvalPayload,
  type ClientName,
  dismissed,
  questionPayload,
  readApprovalAnswer,
  readFailure,
  readQuestionAnswer,
} from "./base-profile.js";
import type { AnyInteraction, Recipient } from "./interaction/core.js";
import type { Settlement } from "./interaction/interaction.js";
import type { Log } from "./log.js";
import type { Session } from "./session.js";

/** One client of a session. */
export interface Connection extends Recipient {
  /** Whether the client declared that it can show questions. */
  readonly supportsQuestion: boolean;
  /** Sends an event, unless the client is too old to know it. */
  tell(event: WireEventInput): void;
  /** Resolves once the client has taken most of what it was sent. */
  drained(): Promise<void>;
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
  const id = uuid();
  const log = options.log;
  const calls = new Cells<Call>();
  let client: ClientName = { name: "unknown", connection: id };
  let version = effectiveVersion(undefined);
  let capabilities: Pick<ClientCapabilities, "supports_question"> = { supports_question: false };
  let ready = false;
  let initialized = false;
  let prompts = 0;

  const handlers: Handlers<AgentMethods> = {
    initialize(params, call) {
      if (initialized && prompts > 0)
        throw new WireError("InvalidState", "An agent turn is already in progress");
      initialized = true;
      version = effectiveVersion(params.protocol_version);
      if (params.client != null) client = { name: params.client.name, connection: id };
      if (params.capabilities != null) capabilities = params.capabilities;
      call.afterReply(attach);
      return initializeResult(params, options.server);
    },
    async prompt({ user_input }) {
      refuseTooLong(user_input, options.limits?.outboundLength ?? defaultLimits.outboundLength);
      if (!ready) attach();
      prompts += 1;
      try {
        return await session.prompt(user_input);
      } finally {
        prompts -= 1;
      }
    },
    cancel(_params, call) {
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

  function attach(): void {
    if (peer.isClosed) return;
    ready = true;
    session.attach(connection);
  }

  /** Puts a request to the client and hands its word to the core, which decides whether it counts (P-ID-2). */
  function put(request: AnyInteraction): Call {
    if (request.kind === "question") {
      return peer.ask("request", "QuestionRequest", questionPayload(request), request.id, (answer) => {
        if (!calls.delete(request.id)) return;
        if (!answer.ok) return failed(request, answer.error);
        const { value } = answer;
        answered(request, value.request_id, () => readQuestionAnswer(request.questions, value, client));
      });
    }
    return peer.ask("request", "ApprovalRequest", approvalPayload(request), request.id, (answer) => {
      if (!calls.delete(request.id)) return;
      if (!answer.ok) return failed(request, answer.error);
      const { value } = answer;
      answered(request, value.request_id, () => readApprovalAnswer(value, client));
    });
  }

  function answered(request: AnyInteraction, requestId: string, read: () => Settlement<unknown>): void {
    if (requestId !== request.id) log.warn({ connection: id, requestId }, "answered with another request_id");
    const refusal = session.core.answer(request.id, id, read);
    if (refusal !== undefined) log.warn({ connection: id, request: request.id, refusal }, "late answer");
  }

  function failed(request: AnyInteraction, error: unknown): void {
    const failure = readFailure(error);
    if ("gone" in failure) return;
    log.warn({ connection: id, request: request.id, failure }, "a request failed at the client");
    if ("dismissed" in failure)
      session.core.answer(request.id, id, () => dismissed(client, failure.dismissed));
    else session.core.fail(request.id, id, failure.reason, failure.note);
  }

  const connection: Connection = {
    id,
    get supportsQuestion() {
      return capabilities.supports_question;
    },
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
    tell({ type, payload }) {
      if (peer.isClosed || !knowsEvent(version, type)) return;
      try {
        peer.tell("event", type, payload);
      } catch (error) {
        // What one client cannot be told must not keep the others, or the turn, from going on.
        log.error({ connection: id, type, error: String(error) }, "an event could not be sent");
      }
    },
    drained: () => channel.drained(DRAINED_BYTES),
    close: (code, reason) => peer.close(code, reason),
    closed: peer.closed.then((cause) => {
      if (cause !== undefined) log.warn({ connection: id, cause: cause.message }, "connection failed");
      session.detach(connection, graceMs);
    }),
  };
  return connection;
}

/** A prompt comes back in TurnBegin, so it must fit there with what surrounds it. */
function refuseTooLong(input: UserInput, limit: number): void {
  const room = limit - 1024;
  if (JSON.stringify(input).length <= room) return;
  throw new WireError(
    "InvalidParams",
    `Invalid parameters for method \`prompt\`: user_input: expected at most ${room} characters`,
  );
}

function initializeResult(
  params: InitializeParams,
  server: { readonly name: string; readonly version: string },
): InitializeResult {
  const tools = params.external_tools ?? [];
  const rejected = tools.map(({ name }) => ({ name, reason: "this server takes no external tools" }));
  return {
    protocol_version: PROTOCOL_VERSION,
    server: { name: server.name, version: server.version },
    slash_commands: [],
    ...(tools.length === 0 ? {} : { external_tools: { accepted: [], rejected } }),
    hooks: { supported_events: [], configured: {} },
    capabilities: { supports_question: true },
  };
}
