import {
  defaultLimits,
  LocalError,
  type PromptResult,
  type SessionState,
  type UserInput,
  WireError,
  type WireEventInput,
} from "@askwire/protocol";
import { v4 as uuid } from "uuid";
import type { Agent, SlashCommand, ToolOffer } from "../agent/agent.js";
import type { AgentSession, History } from "../agent/agent-session.js";
import type { Notice } from "../agent/notice.js";
import { refuseRepeatedNames } from "../agent/tool-names.js";
import { toolsOf } from "../dialects/question-tool.js";
import { Hooks } from "../hooks/hooks.js";
import { hooksIn, tellEnd, tellNotice } from "../hooks/session-hooks.js";
import type { Journal } from "../journal/journal.js";
import { recordOpened, recordSettled } from "../journal/record-interaction.js";
import type { ReplayResult, ReplayTarget } from "../journal/replay.js";
import type { ClientName } from "../profiles/profile.js";
import { type AnyInteraction, type Attendance, InteractionCore } from "../requests/core.js";
import type { HookCall } from "../requests/hook-call.js";
import { outcomeNow, type Settlement } from "../requests/interaction.js";
import { Scope } from "../requests/scope.js";
import { atMost } from "../runtime/clock.js";
import { Remembered } from "../runtime/remembered.js";
import type { TurnHost } from "../turn/turn.js";
import { Answers } from "./answers.js";
import { Approvals, approvalResponse } from "./approvals.js";
import { Attached, type InProcessClient, type RemoteClient } from "./attached.js";
import { defaultEventLogLimits, type EventLog } from "./event-log.js";
import { ExternalTools } from "./external-tools.js";
import { RunningTurn } from "./running-turn.js";
import { SessionEvents, type SessionStatePayload } from "./session-events.js";
import type { PromptOrigin, SessionOptions } from "./session-options.js";
import { runSessionTurn, type TurnPlace } from "./session-turn.js";
import { answeredBySteer } from "./steered-answer.js";

/** Turns that are remembered at least. */
const TURNS = 64;
/** How long the end of a turn waits to be written, in milliseconds. */
const WRITE_MS = 1_000;

/**
 * One conversation: an agent, at most one turn at a time, and any number of connections, also none. Who embeds a server
 * has no use for the members that are said to be for connections: `AskwireServer.connect` is what makes those.
 */
export class Session implements AgentSession {
  /** What clients attach to it by, and what it is kept under. */
  readonly id: string;
  /** What the agent remembers; undefined where it is kept nowhere. */
  readonly history: History | undefined;
  readonly #options: SessionOptions;
  readonly #agent: Agent;
  readonly #scope = new Scope();
  readonly #core: InteractionCore;
  readonly #maxText: number;
  readonly #clients: Attached;
  readonly #events: SessionEvents;
  readonly #approvals: Approvals;
  readonly #host: TurnHost;
  readonly #externalTools = new ExternalTools();
  readonly #hooks: Hooks;
  readonly #journal: Journal | undefined;
  /** Opens a call of a hook that belongs to no turn. */
  readonly #openHook = (call: HookCall) => this.#core.open(call, this.#scope);
  #attendance: Attendance;
  #planMode: boolean;
  #turn: RunningTurn | undefined;
  #answers: Answers | undefined;
  /** How the last turns ended that a client gave an id, or will end (P-XTR-2). */
  readonly #prompted = new Remembered<Promise<PromptResult>>(TURNS);
  /** Resolves when the last turn has ended and what it recorded is written. */
  #ended: Promise<void> | undefined;
  #activity = 0;
  #closing: Promise<void> | undefined;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.id = options.id ?? uuid();
    this.history = options.kept?.history;
    this.#journal = options.kept?.journal;
    this.#planMode = this.#journal?.planMode ?? false;
    this.#attendance = options.attendance;
    this.#approvals = new Approvals(options.yolo);
    this.#maxText = options.maxText ?? defaultLimits.outboundLength;
    this.#clients = new Attached(options.clock);
    this.#events = new SessionEvents({
      clients: this.#clients,
      journal: this.#journal,
      limits: options.eventLog ?? defaultEventLogLimits,
      maxText: this.#maxText,
      state: () => this.stateNow,
      log: options.log,
    });
    this.#core = new InteractionCore({
      attendance: () => this.#attendance,
      policy: (request) => this.#approvals.policy(request),
      maxOpen: options.maxOpenRequests,
      subagentQuestions: options.subagentQuestions,
      clock: options.clock,
      onOpened: (request) => {
        if (this.#journal !== undefined) recordOpened(this.#journal, request);
      },
      onSent: () => this.#events.state(),
      onDeadline: (request) => this.#events.deadline(request),
      onSettled: (request, settlement, sent) => this.#settled(request, settlement, sent),
    });
    this.#hooks = new Hooks({
      sessionId: this.id,
      workDir: options.workDir,
      emit: (event) => this.broadcast(event),
      clock: options.clock,
      log: options.log,
    });
    this.#host = {
      broadcast: (event) => this.broadcast(event),
      offer: () => this.offer,
      dialectTools: options.dialects.flatMap(toolsOf),
      externalTools: () => this.#externalTools.tools(),
      planMode: () => this.#planMode,
      setPlanMode: (enabled) => {
        this.planMode = enabled;
      },
      unattended: () => this.#attendance === "decline",
      drained: async () => {
        await Promise.all([...this.#clients.connections()].map((connection) => connection.drained()));
      },
      maxSteps: options.maxSteps,
      subagentQuestions: options.subagentQuestions,
    };
    this.#agent = typeof options.agent === "function" ? options.agent(this) : options.agent;
    refuseRepeatedNames([...this.#host.dialectTools, ...(this.#agent.tools ?? [])]);
  }

  /** Every open request. For connections, which bring it their answers. */
  get core(): InteractionCore {
    return this.#core;
  }

  /** The answers of extended clients. For connections likewise. */
  get answers(): Answers {
    this.#answers ??= new Answers(this.#core, this.#options.elsewhere ?? (() => false), this.#maxText);
    return this.#answers;
  }

  /** What extended clients read. For connections likewise. */
  get eventLog(): EventLog {
    return this.#events.log;
  }

  /** What it does: nothing, a turn, or wait for a person. */
  get state(): SessionState {
    const open = this.#core.pending();
    if (open.some(({ kind }) => kind === "question" || kind === "approval")) return "waiting";
    return this.#turn === undefined ? "idle" : "running";
  }

  /** What it does and what is open in it, oldest first, as extended clients are told (P-XST-2). For connections. */
  get stateNow(): SessionStatePayload {
    const { state } = this;
    const pending = this.#core.pending().map(({ id }) => id);
    return this.#turn === undefined ? { state, pending } : { state, turn_id: this.#turn.id, pending };
  }

  /** How many clients are connected. */
  get connections(): number {
    return this.#clients.size;
  }

  /** Whether a turn is under way. */
  get running(): boolean {
    return this.#turn !== undefined;
  }

  /** Whether it has no connection, no turn and no open request. */
  get idle(): boolean {
    return this.#clients.isEmpty && this.#turn === undefined && this.#core.size === 0;
  }

  /** Whether there ever was a turn. */
  get used(): boolean {
    return this.#ended !== undefined;
  }

  /** Changes with each connection. */
  get activity(): number {
    return this.#activity;
  }

  /** Whether somebody is there; what is open is looked at again when it is set (P-ATT-1 to P-ATT-3). */
  get attendance(): Attendance {
    return this.#attendance;
  }

  set attendance(attendance: Attendance) {
    this.#attendance = attendance;
    this.#core.reconsider();
  }

  /** Whether approvals are given without asking (P-APR-4). */
  get yolo(): boolean {
    return this.#approvals.yolo;
  }

  set yolo(yolo: boolean) {
    this.#approvals.yolo = yolo;
  }

  /** Whether the agent may only look and plan. Setting it tells every client (P-PLN-1). */
  get planMode(): boolean {
    return this.#planMode;
  }

  set planMode(enabled: boolean) {
    this.#planMode = enabled;
    this.broadcast({ type: "StatusUpdate", payload: { plan_mode: enabled } });
  }

  /** What tools are offered by at this moment. */
  get offer(): ToolOffer {
    return this.#clients.offer(this.#attendance);
  }

  /** The commands that a prompt may begin with. */
  get commands(): readonly SlashCommand[] {
    return this.#agent.commands ?? [];
  }

  /** The tools that clients bring. For connections, which register them. */
  get externalTools(): ExternalTools {
    return this.#externalTools;
  }

  /** The hooks that clients subscribed. For connections likewise. */
  get hooks(): Hooks {
    return this.#hooks;
  }

  /** The names that no client's tool may have. For connections. */
  get builtinTools(): ReadonlySet<string> {
    return new Set([...this.#host.dialectTools, ...(this.#agent.tools ?? [])].map(({ name }) => name));
  }

  /**
   * Adds a connection; again, for one whose abilities changed. It is shown what is open, or closed with the session. For
   * connections, which do so themselves.
   */
  attach(connection: RemoteClient): void {
    // What it asked for is answered first.
    if (this.#closing !== undefined) return void setImmediate(() => connection.close());
    this.#activity += 1;
    this.#clients.add(connection);
    this.#core.attach(connection);
  }

  /**
   * Takes a connection away. What only it could answer ends `client_lost` after the grace; the tools and hooks of a
   * client that may come back stay as long. For connections likewise.
   *
   * @param connection undefined for one whose client never spoke.
   */
  detach(connection: RemoteClient | undefined, graceMs: number): void {
    if (connection !== undefined) this.#remove(connection, graceMs);
    this.#tellIfIdle();
  }

  #remove(connection: RemoteClient, graceMs: number): void {
    const { id } = connection;
    const release = () => {
      this.#externalTools.release(id);
      this.#hooks.release(id);
    };
    // A connection that its client has replaced, or that was never added, takes nothing with it.
    if (this.#clients.remove(connection, graceMs, release)) {
      this.#core.detach(id, graceMs, connection.returns);
    }
  }

  /**
   * Adds who answers in this process. It counts as a client that shows questions, and is shown what is open. Returns
   * what takes it away again: what only it could answer then ends `client_lost`.
   *
   * @throws LocalError CLOSED once the session ends.
   */
  join(client: InProcessClient): () => void {
    if (this.#closing !== undefined) throw new LocalError("CLOSED", "the session is closed");
    this.#activity += 1;
    const leave = this.#clients.join(client);
    this.#core.attach(client);
    return () => {
      if (!leave()) return;
      this.#core.detach(client.id, 0);
      this.#tellIfIdle();
    };
  }

  /** Opens a request of this process: in the running turn, and else in the session itself. */
  open(request: AnyInteraction): void {
    const turn = this.#turn;
    // A turn that is being ended takes nothing more, unless the session ends with it: then it knows why.
    if (turn !== undefined && (!turn.signal.aborted || this.#closing !== undefined)) {
      turn.open(request, turn.scope);
    } else if (this.#closing === undefined) this.#core.open(request, this.#scope);
    else request.settle({ outcome: outcomeNow("withdrawn", { reason: "session_closed", by: "system" }) });
  }

  #tellIfIdle(): void {
    if (this.idle && this.#closing === undefined) this.#options.onIdle?.();
  }

  /** Tells every client an event. */
  broadcast(event: WireEventInput): void {
    this.#events.broadcast(event);
  }

  /**
   * Tells every client of something that happened beside the conversation, also between turns, and then the hooks of
   * it. Resolves when these have answered (P-NOT-1).
   */
  async notify(notice: Notice): Promise<void> {
    const { clock } = this.#options;
    const payload = { payload: {}, ...notice, id: uuid(), created_at: clock.now() / 1000 };
    this.broadcast({ type: "Notification", payload });
    // The last one asked may be lost meanwhile.
    if (await tellNotice(this.#hooks, this.#openHook, notice)) this.#tellIfIdle();
  }

  /**
   * Runs one turn to its end (P-TRN-1 to P-TRN-5). With the id of a turn that was there before it ends as that one did,
   * or does (P-XTR-2).
   *
   * @throws WireError InvalidState while another runs, and once the session ends; else whatever the agent failed with.
   */
  prompt(input: UserInput, { turnId = uuid(), by }: PromptOrigin = {}): Promise<PromptResult> {
    const known = this.#prompted.get(turnId);
    if (known !== undefined) return known;
    if (this.#turn !== undefined) return Promise.reject(busy());
    if (this.#closing !== undefined) {
      return Promise.reject(new WireError("InvalidState", "the session is closed"));
    }
    const running = new RunningTurn(turnId, this.#core, this.#scope);
    this.#turn = running;
    this.#ended = running.ended;
    const place: TurnPlace = {
      events: this.#events,
      agent: this.#agent,
      host: this.#host,
      sessionId: this.id,
      log: this.#options.log,
      rawErrors: this.#options.rawErrors ?? false,
      hooksIn: ({ scope, signal }) => hooksIn(this.#hooks, (call) => running.open(call, scope), signal),
      beforeEnd: () => (this.#journal === undefined ? undefined : this.#write(this.#journal)),
      over: () => {
        this.#turn = undefined;
      },
      ended: () => this.#tellIfIdle(),
    };
    const marks = { turn_id: turnId, ...(by !== undefined && { by }) };
    // Whoever asks for it again waits for the same promise, and hears no sooner than the one who asked first.
    const result = runSessionTurn(place, running, input, marks);
    this.#prompted.set(turnId, result);
    return result;
  }

  /** Who reads the file when a turn has ended finds all of it; a disk that does not answer is not waited for. */
  async #write(journal: Journal): Promise<void> {
    journal.record({ type: "TurnEnd", payload: {} });
    await atMost(this.#options.clock, WRITE_MS, journal.flush());
  }

  /**
   * Says something more in the running turn; the agent takes it after its current step (P-STR-1). Where the dialect of
   * an open question has it so, text answers that question instead (P-DIA-7).
   *
   * @param by the client that says it. Default: this process.
   * @throws WireError InvalidState when none runs, Overloaded when too much waits.
   */
  steer(input: UserInput, by?: ClientName): void {
    if (this.#turn === undefined || this.#turn.signal.aborted) {
      throw new WireError("InvalidState", "No agent turn is in progress");
    }
    if (!answeredBySteer(this.#core.pending(), input, by)) this.#turn.steer(input);
  }

  /**
   * Sends what the journal holds to one client, as far as it went when this began (P-JRN-10). For connections.
   *
   * @throws WireError InvalidState while a turn runs.
   */
  async replay(target: ReplayTarget, signal: AbortSignal): Promise<ReplayResult> {
    if (this.#turn !== undefined) throw busy();
    if (this.#journal === undefined) return { status: "finished", events: 0, requests: 0 };
    return this.#journal.replay(target, signal);
  }

  /**
   * Cancels the running turn, whether its agent cooperates or not (P-TRN-6). Nothing happens if there is none.
   *
   * @param turnId cancels this turn alone. Default: whichever runs.
   */
  cancel(turnId?: string): void {
    if (turnId !== undefined && this.#turn?.id !== turnId) return;
    this.#turn?.stop(interrupted, "it was cancelled");
  }

  /** Ends the session: what is open is settled, then the turn cancelled (P-CLO-2). Resolves when it has ended. */
  close(reason: "session_closed" | "shutdown" = "session_closed"): Promise<void> {
    this.#closing ??= this.#end(reason);
    return this.#closing;
  }

  async #end(reason: "session_closed" | "shutdown"): Promise<void> {
    const ending = () => outcomeNow("withdrawn", { reason, by: "system" });
    await tellEnd(this.#hooks, this.#openHook, reason, this.#options.clock);
    const settle = () => this.#core.close(ending);
    if (this.#turn === undefined) settle();
    else this.#turn.stop(ending, "the session closed", settle);
    await this.#ended;
    this.#clients.close();
    // The prompt's reply follows the end of the turn, and goes out before the connection closes.
    await new Promise((resolve) => setImmediate(resolve));
    this.#clients.leave();
    await this.#journal?.close();
    this.#options.onClosed?.();
  }

  /** Keeps what was approved for the session, and tells every client of a settled approval (P-APR-2). */
  #settled(request: AnyInteraction, { outcome, answer }: Settlement<unknown>, sent: boolean): void {
    if (sent) {
      if (this.#journal !== undefined) recordSettled(this.#journal, request, { outcome, answer });
      this.#events.settled(request, outcome, answer);
      this.#events.state();
    }
    if (request.kind !== "approval") return;
    const { response, feedback } = approvalResponse(answer);
    const wordless = response === "reject" && feedback.trim() === "" && request.origin === undefined;
    if (this.#turn !== undefined && wordless && outcome.status === "answered" && outcome.by === "human") {
      this.#turn.stopped = true;
    }
    if (sent)
      this.broadcast({ type: "ApprovalResponse", payload: { request_id: request.id, response, feedback } });
    if (response === "approve_for_session") this.#approvals.approveForSession(request, this.#core.pending());
  }
}

const busy = () => new WireError("InvalidState", "An agent turn is already in progress");

const interrupted = () => outcomeNow("withdrawn", { reason: "interrupted", by: "human" });
