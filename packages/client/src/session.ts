import {
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
  type RequestPayload,
  StatusUpdate,
  type Unrecognized,
  type UserInput,
  type Validate,
  validate as validateAnywhere,
  WireError,
  type WireEvent,
  type WireRequest,
} from "@askwire/protocol";
import { type ClientTool, externalTools } from "./external-tools.js";
import { type ClientHandlers, replyToApproval, replyToQuestion, viewQuestion } from "./handlers.js";
import { introduce } from "./handshake.js";
import { type ClientHook, hookAnswers } from "./hooks.js";
import { OpenRequests } from "./open-requests.js";
import { type ReplayHandlers, type ReplayResult, replays } from "./replay.js";
import { type SessionStatus, updated } from "./status.js";
import { type ClientTurn, createTurn } from "./turn.js";
import { createTurns } from "./turns.js";

/** What a client is, offers and bounds; all of it may be left out. */
export interface ConnectOptions {
  /** What it does with what it is sent. Default: it shows nothing, and says so to who asks. */
  readonly handlers?: ClientHandlers;
  /** Tools that this client brings. What became of them is in `session.server.external_tools`. */
  readonly tools?: readonly ClientTool[];
  /** Where this client has a word in what the agent does. */
  readonly hooks?: readonly ClientHook[];
  /** Whether questions are shown with their `body`, in which an agent in plan mode puts its plan. Default: false. */
  readonly planMode?: boolean;
  /** What the server is told of this client. Default: `askwire-client`. */
  readonly client?: { readonly name: string; readonly version?: string };
  /** How long the server may take to answer `initialize`, in milliseconds. Default: 30,000. */
  readonly initializeTimeoutMs?: number;
  /** Default: one that runs anywhere. Over stdio it is compiled. */
  readonly validate?: Validate;
  /**
   * Bounds of the connection. Default: `defaultLimits` of the protocol; of them `unsentBytes` counts over stdio only, where
   * it is 64 MiB by default.
   */
  readonly limits?: Partial<Limits>;
  /** Told of what is wrong without an effect, such as a line that is no JSON, or a rejected tool. Default: nobody. */
  readonly onProblem?: (message: string) => void;
}

/** A conversation with an agent. Its methods reject with `WireError` (the server's error) or `LocalError`. */
export interface ClientSession {
  /** What the server said of itself; undefined for one that is too old to know `initialize`. */
  readonly server: InitializeResult | undefined;
  /** The commands that the server takes as a prompt, `/name` and what follows; none where it is too old to say. */
  readonly slashCommands: InitializeResult["slash_commands"];
  /** What the StatusUpdate events have said so far. A new object after each. */
  readonly status: SessionStatus;
  /**
   * Starts a turn.
   *
   * @throws LocalError INVALID_STATE while a turn or replay of this client runs, BAD_MESSAGE for input that is no
   * user input.
   */
  prompt(input: UserInput): ClientTurn;
  /**
   * Says something to the agent in the middle of a turn, whoever's: it reads it after its current step, which the
   * event SteerInput tells. Rejects with LocalError INVALID_STATE when no turn runs, or with `-32000` where only the
   * server knows that; with `-32601` from a server that has no such method (P-CLI-7).
   */
  steer(input: UserInput): Promise<void>;
  /** Switches plan mode, at any time. Resolves with what holds now, which `status.plan_mode` says too. */
  setPlanMode(enabled: boolean): Promise<boolean>;
  /**
   * Has the server send again what it has recorded of the session; `cancel` ends it early. Rejects with LocalError
   * INVALID_STATE while a turn or another replay runs. The wire does not mark what is replayed: whatever comes before
   * the result counts as it, and goes to these handlers and nowhere else. A replayed request is not open to answers,
   * so it is answered at once with `-32601`, which chooses nothing (P-CLI-9).
   */
  replay(handlers?: ReplayHandlers): Promise<ReplayResult>;
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
 * @throws LocalError TIMEOUT, CLOSED, BAD_PEER or BAD_MESSAGE (what the options offer does not fit), WireError if the
 * server refuses; the channel is closed then.
 */
export async function connect(channel: MessageChannel, options: ConnectOptions = {}): Promise<ClientSession> {
  const { handlers = {}, validate = validateAnywhere, hooks = [], tools = [] } = options;
  /** A log that fails has nobody to be told to. */
  const report = (problem: string) => {
    try {
      options.onProblem?.(problem);
    } catch {}
  };
  const open = new OpenRequests();
  const turns = createTurns();
  const replay = replays(report);
  const answerToolCall = externalTools(tools, open, validate);
  const answerHook = hookAnswers(hooks, open, report);
  let status: SessionStatus = StatusUpdate.parse({});

  function live(event: WireEvent | Unrecognized): void {
    turns.route(event);
    open.observe(event);
    if (event.type === "StatusUpdate") status = updated(status, event.payload);
    const failed = (error: unknown) => report(`event handler: ${event.type}: ${error}`);
    try {
      // One that is asynchronous may fail later.
      const handled: unknown = handlers.event?.(event);
      if (handled instanceof Promise) handled.catch(failed);
    } catch (error) {
      failed(error);
    }
    if (event.type === "unrecognized" && event.problem !== undefined) {
      report(`event ${event.payload.type}: ${event.problem}`);
    }
  }

  function answer(request: WireRequest) {
    switch (request.type) {
      case "QuestionRequest":
        return answerQuestion(request.payload);
      case "ApprovalRequest":
        return answerApproval(request.payload);
      case "ToolCallRequest":
        return answerToolCall(request.payload);
      case "HookRequest":
        return answerHook(request.payload);
    }
  }

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

  const local: Handlers<ClientMethods> = {
    event: (event) => void (replay.isRunning() ? replay.event(event, live) : live(event)),
    request: (request) => (replay.isRunning() ? replay.request(request, answer) : answer(request)),
  };
  const peer = bindPeer({
    channel,
    local: clientMethods,
    remote: agentMethods,
    handlers: local,
    validate,
    onProblem: report,
    ...(options.limits === undefined ? {} : { limits: options.limits }),
  });
  const closed = peer.closed.then((cause) => {
    open.abortAll("the connection closed");
    return cause;
  });
  const server = await introduce(peer, options, report);
  /** The end of a turn is an event since 1.2; before that the prompt's result is. */
  const tellsTurnEnd =
    server !== undefined && compareVersions(effectiveVersion(server.protocol_version), "1.2") >= 0;

  return {
    server,
    slashCommands: server?.slash_commands ?? [],
    closed,
    get status() {
      return status;
    },
    prompt(input) {
      if (turns.isRunning() || replay.isRunning()) throw invalidState("prompt: a turn or replay is running");
      const answer = peer.request("prompt", { user_input: input });
      const { queue, ended } = turns.begin();
      const settled = (refused: boolean) => {
        ended(refused);
        if (!refused && !tellsTurnEnd) open.abortAll("the turn ended");
      };
      const result = answer.then(
        (result) => {
          settled(false);
          return result;
        },
        (error: unknown) => {
          settled(error instanceof WireError && error.is("InvalidState"));
          throw error;
        },
      );
      return createTurn(queue, result);
    },
    async steer(input) {
      if (replay.isRunning() || turns.isUnderWay() === false) throw invalidState("steer: no turn is running");
      await peer.request("steer", { user_input: input });
    },
    async setPlanMode(enabled) {
      const { plan_mode } = await peer.request("set_plan_mode", { enabled });
      status = updated(status, { plan_mode });
      return plan_mode;
    },
    async replay(to = {}) {
      if (turns.isUnderWay() || replay.isRunning()) throw invalidState("replay: a turn or replay is running");
      return replay.run(to, peer.request("replay", undefined));
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

const invalidState = (message: string) => new LocalError("INVALID_STATE", message);
