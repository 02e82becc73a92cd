import {
  type AgentMethods,
  agentMethods,
  bindPeer,
  type ClientMethods,
  clientMethods,
  compareVersions,
  effectiveVersion,
  type Handlers,
  type InitializeResult,
  type Limits,
  LocalError,
  type MessageChannel,
  type Peer,
  PROTOCOL_VERSION,
  type RequestPayload,
  type Unrecognized,
  type UserInput,
  type Validate,
  WireError,
  type WireEvent,
} from "@askwire/protocol";
import { EventQueue } from "./event-queue.js";
import { type ClientHandlers, replyToApproval, replyToQuestion, viewQuestion } from "./handlers.js";
import { OpenRequests } from "./open-requests.js";
import { type ClientTurn, createTurn } from "./turn.js";

export interface ConnectOptions {
  readonly handlers?: ClientHandlers;
  /** What the server is told of this client. Default: `askwire-client`. */
  readonly client?: { readonly name: string; readonly version?: string };
  /** How long the server may take to answer `initialize`, in milliseconds. Default: 30,000. */
  readonly initializeTimeoutMs?: number;
  /** Default: one that runs anywhere. Over stdio it is compiled. */
  readonly validate?: Validate;
  /** Bounds of the connection. */
  readonly limits?: Partial<Limits>;
  /** Told of what is wrong without an effect, such as a line that is no JSON. Default: nobody. */
  readonly onProblem?: (message: string) => void;
}

/** A conversation with an agent. */
export interface ClientSession {
  /** What the server said of itself; undefined for one that is too old to know `initialize`. */
  readonly server: InitializeResult | undefined;
  /**
   * Starts a turn.
   *
   * @throws LocalError INVALID_STATE while a turn of this client runs, BAD_MESSAGE for input that is no user input.
   */
  prompt(input: UserInput): ClientTurn;
  /** Cancels the running turn; its prompt then ends `cancelled`. Rejects with `-32000` when none runs. */
  cancel(): Promise<void>;
  /** Ends the connection. Resolves when it is closed and, over stdio, the process is gone. */
  close(): Promise<void>;
  /** Resolves when the connection is closed, by either side, with the cause if there was one. */
  readonly closed: Promise<Error | undefined>;
}

/**
 * Connects to an agent over a channel and introduces this client (P-CLI-3).
 *
 * @throws LocalError TIMEOUT, CLOSED or BAD_PEER, WireError if the server refuses; the channel is closed then.
 */
export async function connect(channel: MessageChannel, options: ConnectOptions = {}): Promise<ClientSession> {
  const { handlers = {} } = options;
  const open = new OpenRequests();
  let running = false;
  /** Where the events of this client's turn go. */
  let events: EventQueue<WireEvent | Unrecognized> | undefined;
  /** Whether a turn is under way, whoever's, and whether what comes next is still that of somebody else's. */
  let underWay = false;
  let othersTurn = false;

  function route(event: WireEvent | Unrecognized): void {
    if (event.type === "TurnBegin") underWay = true;
    if (!othersTurn) events?.push(event);
    if (event.type !== "TurnEnd") return;
    // What follows belongs to another turn, even if this one's result is still on its way.
    if (!othersTurn) events = undefined;
    underWay = false;
    othersTurn = false;
  }

  const local: Handlers<ClientMethods> = {
    event(event) {
      route(event);
      open.observe(event);
      try {
        handlers.event?.(event);
      } catch (error) {
        options.onProblem?.(`event handler: ${event.type}: ${error}`);
      }
      if (event.type === "unrecognized" && event.problem !== undefined) {
        options.onProblem?.(`event ${event.payload.type}: ${event.problem}`);
      }
    },
    request(request) {
      switch (request.type) {
        case "QuestionRequest":
          return answerQuestion(request.payload);
        case "ApprovalRequest":
          return answerApproval(request.payload);
        default:
          throw new WireError("MethodNotFound", `this client takes no ${request.type}`);
      }
    },
  };

  function answerQuestion(payload: RequestPayload<"QuestionRequest">) {
    const { question } = handlers;
    if (question === undefined) throw new WireError("MethodNotFound", "this client cannot show questions");
    return open.run(viewQuestion(payload), question, replyToQuestion);
  }

  function answerApproval(payload: RequestPayload<"ApprovalRequest">) {
    const { approval } = handlers;
    if (approval === undefined) throw new WireError("MethodNotFound", "this client cannot show approvals");
    return open.run(payload, approval, replyToApproval);
  }

  const peer = bindPeer({
    channel,
    local: clientMethods,
    remote: agentMethods,
    handlers: local,
    ...(options.validate === undefined ? {} : { validate: options.validate }),
    ...(options.limits === undefined ? {} : { limits: options.limits }),
    ...(options.onProblem === undefined ? {} : { onProblem: options.onProblem }),
  });
  const closed = peer.closed.then((cause) => {
    open.abortAll("the connection closed");
    return cause;
  });
  const server = await initialize(peer, options);
  /** The end of a turn is an event since 1.2; before that the prompt's result is. */
  const tellsTurnEnd =
    server !== undefined && compareVersions(effectiveVersion(server.protocol_version), "1.2") >= 0;

  return {
    server,
    closed,
    prompt(input) {
      if (running) throw new LocalError("INVALID_STATE", "prompt: a turn of this client is running");
      const answer = peer.request("prompt", { user_input: input });
      const queue = new EventQueue<WireEvent | Unrecognized>();
      running = true;
      events = queue;
      othersTurn = underWay;
      /** A refused prompt ends nothing: the turn that it found under way is somebody else's. */
      const settled = (refused: boolean) => {
        running = false;
        if (events === queue) {
          events = undefined;
          if (!refused && !othersTurn) underWay = false;
          othersTurn = false;
        }
        if (!refused && !tellsTurnEnd) open.abortAll("the turn ended");
      };
      const result = answer.then(
        (ended) => {
          settled(false);
          return ended;
        },
        (error: unknown) => {
          settled(error instanceof WireError && error.is("InvalidState"));
          throw error;
        },
      );
      return createTurn(queue, result);
    },
    async cancel() {
      await peer.request("cancel", undefined);
    },
    async close() {
      peer.close();
      await closed;
    },
  };
}

async function initialize(
  peer: Peer<AgentMethods>,
  options: ConnectOptions,
): Promise<InitializeResult | undefined> {
  const timeout = options.initializeTimeoutMs ?? 30_000;
  const response = peer.request("initialize", {
    protocol_version: PROTOCOL_VERSION,
    client: options.client ?? { name: "askwire-client" },
    capabilities: { supports_question: options.handlers?.question !== undefined },
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () =>
        reject(
          new LocalError(
            "TIMEOUT",
            `"initialize" was not answered in ${timeout} ms: is the other side an Askwire server?`,
          ),
        ),
      timeout,
    );
  });
  try {
    return await Promise.race([response, late]);
  } catch (error) {
    if (error instanceof WireError && error.is("MethodNotFound")) return undefined;
    peer.close();
    await peer.closed;
    throw error;
  } finally {
    clearTimeout(timer);
    response.catch(() => {});
  }
}
