import {
  type AttachedSession,
  closeCodes,
  defaultLimits,
  LocalError,
  type Outcome,
  type PolicyDecision,
  type PromptResult,
  type SessionState,
  type UserInput,
  type WireEventInput,
} from "@askwire/protocol";
import type { Agent, RefusedTool, SlashCommand, Tool, ToolOffer } from "../agent/agent.js";
import type { AgentMemory, ClientHook, History } from "../agent/agent-session.js";
import type { Notice } from "../agent/notice.js";
import { refuseRepeatedNames } from "../agent/tool-names.js";
import { toolsOf } from "../dialects/question-tool.js";
import { Hooks } from "../hooks/hooks.js";
import { hooksIn, noHooks, tellEnd, tellNotice } from "../hooks/session-hooks.js";
import type { Place } from "../journal/appender.js";
import type { OwnRecord } from "../journal/entries.js";
import type { Journal } from "../journal/journal.js";
import { keepOpenFile, type OpenFile } from "../journal/open-file.js";
import { openRequest } from "../journal/open-requests.js";
import { questionMessage } from "../journal/record-interaction.js";
import { type ReplayResult, type ReplayTarget, replayTo } from "../journal/replay.js";
import type { Left } from "../journal/unfinished.js";
import type { ClientName } from "../profiles/profile.js";
import type { ApprovalAnswer } from "../requests/approval-request.js";
import {
  type AnyInteraction,
  type Attendance,
  InteractionCore,
  type PersonRequest,
} from "../requests/core.js";
import { SessionSuspended } from "../requests/errors.js";
import type { HookCall } from "../requests/hook-call.js";
import { outcomeNow, type Settlement } from "../requests/interaction.js";
import { Scope } from "../requests/scope.js";
import { atMost } from "../runtime/clock.js";
import { uuid } from "../runtime/uuid.js";
import { type Watchers, watchers } from "../runtime/watchers.js";
import { findCommand } from "../turn/slash-command.js";
import type { TurnHost } from "../turn/turn-init.js";
import { agentMemory } from "./agent-memory.js";
import { Answers } from "./answers.js";
import { approvalResponse } from "./approvals.js";
import { AskingRules } from "./asking-rules.js";
import { Asks } from "./asks.js";
import { behindGate, type InProcessClient, type RemoteClient } from "./client.js";
import { ClientHub } from "./client-hub.js";
import { defaultEventLogLimits, type EventLog } from "./event-log.js";
import { ExternalTools } from "./external-tools.js";
import { keeperOf, requestKeeper } from "./keeper.js";
import type { Past, UntoldEnd } from "./past.js";
import { restOfDeadline, restoredAsk } from "./restored-request.js";
import { endedTurn, endLeftTurn, resumable } from "./resumable.js";
import type { Session } from "./session.js";
import { callsOf, type RequestUpdate, SessionEvents } from "./session-events.js";
import type { PromptOrigin, SessionOptions } from "./session-options.js";
import { promptTitle, titleOf } from "./session-title.js";
import type { TurnPlace } from "./session-turn.js";
import { type Synced, SyncGate } from "./sync-gate.js";
import { TurnGate } from "./turn-gate.js";
import { turnMemory } from "./turn-memory.js";

/** The time for which a question of an earlier process waits for a client that shows it, in milliseconds (P-RES-12). */
const RESTART_GRACE_MS = 600_000;

/** The time for writing the end of a turn, in milliseconds. */
const WRITE_MS = 1_000;

/** The time for the end of an agent, in milliseconds. */
const AGENT_END_MS = 5_000;

/** A session with the members that its server and its clients need: turns in a gate, clients in a hub. */
export class ServedSession implements Session {
  readonly id: string;
  readonly history: History | undefined;
  readonly memory: AgentMemory | undefined;
  /** The time at which it began, in milliseconds since 1970; of a kept session in its first process. */
  readonly madeAt: number;
  /** Every open request; clients bring it their answers. */
  readonly core: InteractionCore;
  /** The tools that clients bring. */
  readonly broughtTools = new ExternalTools();
  /** The hooks that clients subscribed. */
  readonly hooks: Hooks;
  /** The sync that messages of its clients wait for; undefined for a session that is not kept. */
  readonly synced: Synced | undefined;
  readonly #options: SessionOptions;
  readonly #agent: Agent;
  readonly #scope = new Scope();
  /** The scope of what connected programs ask, which the next process goes on with. */
  readonly #askScope = new Scope(this.#scope);
  readonly #maxText: number;
  readonly #clients: ClientHub;
  readonly #turns: TurnGate;
  readonly #events: SessionEvents;
  readonly #rules: AskingRules;
  readonly #host: TurnHost;
  readonly #journal: Journal | undefined;
  readonly #openFile: OpenFile | undefined;
  /** Opens a call of a hook that belongs to no turn. */
  readonly #openHook = (call: HookCall) => this.core.open(call, this.#scope);
  #planMode: boolean;
  #answers: Answers | undefined;
  /** The end of the turn that is being written, which no client was told. */
  #untoldEnd: UntoldEnd | undefined;
  #title: string | undefined;
  /** The title by the first prompt. */
  #promptTitle: string | undefined;
  #activeAt: number;
  #asks: Asks | undefined;
  /** The callbacks of the agent; made with the first. */
  #watchers: Watchers<[]> | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: SessionOptions) {
    const { clock, log, kept } = options;
    this.#options = options;
    this.id = options.id ?? uuid();
    this.history = kept?.history;
    this.#journal = kept?.journal;
    this.memory = this.#journal && agentMemory(this.#journal);
    this.synced = this.#journal?.synced;
    this.#journal?.onLost(() => queueMicrotask(() => this.#lose()));
    this.#planMode = this.#journal?.planMode ?? false;
    this.#promptTitle = titleOf(this.#journal?.firstPrompt);
    this.madeAt = this.#journal?.begunAt ?? clock.now();
    this.#activeAt = this.madeAt;
    this.#rules = new AskingRules(options, this.#journal);
    this.#maxText = options.maxText ?? defaultLimits.outboundLength;
    this.core = new InteractionCore({
      policy: this.#rules,
      maxOpen: options.maxOpenRequests,
      clock,
      keep: this.#journal && keeperOf(this.#journal, clock),
      onOpened: (request) => {
        this.#events.opened(request);
        this.#act();
      },
      onUpdated: (request, answering) => this.#events.updated(request, answering),
      onSettled: (request, settlement, sent) => this.#settled(request, settlement, sent),
    });
    this.hooks = new Hooks({
      sessionId: this.id,
      workDir: options.workDir,
      emit: (event) => this.broadcast(event),
      clock,
      log,
    });
    this.#clients = new ClientHub({
      clock,
      core: this.core,
      onGone: (id) => {
        this.broughtTools.release(id);
        this.hooks.release(id);
        this.#asks?.lost(id);
        this.#tellAgent();
      },
    });
    this.#events = new SessionEvents({
      clients: this.#clients,
      journal: this.#journal,
      limits: options.eventLog ?? defaultEventLogLimits,
      maxText: this.#maxText,
      state: () => this.state,
      log,
    });
    this.#turns = new TurnGate(this.core, this.#scope, (over) => this.#placeOfTurns(over));
    this.#host = this.#hostOfTurns();
    this.#openFile =
      this.#journal && keepOpenFile({ journal: this.#journal.file, clock }, () => this.#unfinished());
    this.#agent = typeof options.agent === "function" ? options.agent(this) : options.agent;
    if (this.#agent.relays === true) this.#rules.subagentQuestions = true;
    refuseRepeatedNames(this.#ownTools);
    if (this.#journal !== undefined) this.#takeOver(this.#journal);
  }

  /** Goes on with what earlier processes left: their turn, and what they remembered of earlier ones (P-RES-2). */
  #takeOver(journal: Journal): void {
    this.#remember(journal.left);
    const isOpen = [this.#takeOverTurn(journal), this.#takeOverAsks(journal)];
    if (!isOpen.includes(true)) return;
    this.#rules.isAwaiting = true;
    this.core.awaitSomebody(this.#options.restartGraceMs ?? RESTART_GRACE_MS, () => {
      this.#rules.isAwaiting = false;
      this.#asks?.giveUpLeft();
    });
  }

  /** Puts the questions of programs again that earlier processes left open (P-XAK-8). Returns whether there are any. */
  #takeOverAsks(journal: Journal): boolean {
    const { resume = true, clock, log } = this.#options;
    for (const left of journal.openAsks) {
      const { request_id } = left.asked;
      try {
        if (resume === false) throw new TypeError("nothing of earlier processes is resumed here");
        const request = restoredAsk(left);
        request.keeper = requestKeeper(journal, request);
        if (!left.isWhole) journal.record(questionMessage(request));
        const rest = restOfDeadline(left.opened, left.touched, clock.now());
        this.core.restore(request, this.#askScope, left.since, rest);
        this.asks.restore(request, left.asked.digest);
      } catch (error) {
        log.info({ session: this.id, request: request_id, why: String(error) }, "an ask does not go on");
        const outcome = outcomeNow("withdrawn", { reason: "shutdown", by: "system" });
        journal.settled({ request_id, kind: "question", outcome });
      }
    }
    return this.core.size > 0;
  }

  /** Goes on with a turn (P-RES-2). Returns whether a request of it is open. */
  #takeOverTurn(journal: Journal): boolean {
    const { turn } = journal.left;
    if (turn === undefined) return false;
    const { resume = true, dialects, log, clock } = this.#options;
    const now = clock.now();
    const place = { dialects, journal, log, now, allowed: resume !== false };
    const found = resumable({ turn, agent: this.#agent, ...place });
    if ("why" in found) {
      this.#remember(endLeftTurn(journal, turn, found));
      return false;
    }
    const { requests } = found;
    const { scope } = this.#turns.resume(found);
    for (const approval of requests.approvals) this.#rules.decided(...approval, []);
    requests.restore(this.core, scope, now);
    // A request that ended since nobody was there has no word of a person.
    if (found.waits) requests.onSettled(({ status }) => status !== "unavailable" && this.#turns.start());
    if (resume === "now" && !requests.isOpen && requests.isAnswered) this.#turns.start();
    return requests.isOpen;
  }

  #remember({ settled, ended }: Pick<Left, "settled" | "ended">): void {
    for (const { request_id, outcome } of settled) this.core.remember(request_id as string, outcome);
    for (const end of ended) this.#turns.remember(end.turn_id, endedTurn(end));
  }

  #placeOfTurns(over: () => void): TurnPlace {
    const { log, rawErrors = false } = this.#options;
    return {
      events: this.#events,
      agent: this.#agent,
      host: this.#host,
      sessionId: this.id,
      log,
      rawErrors,
      over,
      memoryOf: (turn) => this.#journal && turnMemory(this.#journal, turn.id, turn.left),
      hooksIn: (turn) =>
        this.#agent.relays === true
          ? noHooks
          : hooksIn(this.hooks, (call) => turn.open(call, turn.scope), turn.signal),
      journal: this.#journal,
      beforeEnd: (ended) => this.#journal && this.#write(this.#journal, ended),
      ended: () => {
        this.#untoldEnd?.from.release();
        this.#untoldEnd?.to.release();
        this.#untoldEnd = undefined;
        this.#act();
        this.#tellIfIdle();
      },
    };
  }

  #hostOfTurns(): TurnHost {
    const { dialects, maxSteps, subagentQuestions } = this.#options;
    return {
      broadcast: (event) => this.broadcast(event),
      offer: () => this.offer,
      dialectTools: dialects.flatMap(toolsOf),
      externalTools: () => this.externalTools,
      planMode: () => this.#planMode,
      setPlanMode: (enabled) => {
        this.planMode = enabled;
      },
      unattended: () => this.#rules.attendance === "decline",
      drained: async () => {
        await Promise.all([...this.#clients.connections()].map((connection) => connection.drained()));
      },
      maxSteps,
      subagentQuestions,
    };
  }

  get #ownTools() {
    return [...this.#host.dialectTools, ...(this.#agent.tools ?? [])];
  }

  /** The answers of extended clients. */
  get answers(): Answers {
    this.#answers ??= new Answers(
      this.core,
      this.#options.elsewhere ?? (() => false),
      this.#maxText,
      this.#journal?.left.settled ?? [],
    );
    return this.#answers;
  }

  /** The questions that connected programs ask. */
  get asks(): Asks {
    this.#asks ??= new Asks({
      open: (request) => this.#turns.openBeside(request, this.#askScope),
      changed: (request) => this.#events.updated(request, this.core.answering(request.id)),
      clock: this.#options.clock,
      kept: this.#journal?.asks ?? [],
    });
    return this.#asks;
  }

  /** The update for a client that is shown an open request late; undefined without one (P-XST-5, P-XAK-10). */
  updateOf(request: PersonRequest): RequestUpdate | undefined {
    const answering = this.core.answering(request.id);
    const isPlain = (answering ?? []).length === 0 && callsOf(request) === undefined;
    return isPlain ? undefined : this.#events.updateOf(request, answering);
  }

  /** The events for extended clients. */
  get eventLog(): EventLog {
    return this.#events.log;
  }

  get state(): SessionState {
    if (this.core.waits) return "waiting";
    return this.running ? "running" : "idle";
  }

  /**
   * The session as a client finds it that attaches now (P-XAT-4).
   *
   * @param reset true if the client is not sent the events that it missed.
   */
  found(reset: boolean): AttachedSession {
    const { id, state, planMode: plan_mode } = this;
    const { stream, seq } = this.eventLog;
    const { turnId } = this.#turns;
    const pending = this.core.pending().map((request) => request.id);
    const asks = this.doNotAsk ? { do_not_ask: true } : {};
    const resumes = this.#resumes ? { resumes: true } : {};
    const found = { id, stream, seq, state, plan_mode, ...asks, ...resumes, pending, reset };
    return turnId === undefined ? found : { ...found, turn_id: turnId };
  }

  get title(): string | undefined {
    return this.#title ?? this.#promptTitle;
  }

  set title(title: string | undefined) {
    this.#title = titleOf(title);
    this.#options.onChanged?.();
  }

  /** The time at which a turn last began or ended, or a request was opened or settled, in milliseconds since 1970. */
  get activeAt(): number {
    return this.#activeAt;
  }

  /** The open questions and approvals, for lists of kept sessions (P-KPT-1). */
  #unfinished() {
    const open = [...this.core.waiting()].map(({ request, since }) => openRequest(request, since));
    const { turnId } = this.#turns;
    if (open.length === 0) return undefined;
    const { agentName } = this.#options;
    return {
      ...(turnId !== undefined && { turn_id: turnId }),
      ...(agentName !== undefined && { agent: agentName }),
      open,
    };
  }

  #act(): void {
    this.#activeAt = this.#options.clock.now();
    this.#openFile?.changed();
    this.#options.onChanged?.();
  }

  /** All that clients were told up to this moment: of the journal, or as far as the log has it (P-XHI-2). */
  past(): Past {
    const journal = this.#journal;
    if (journal === undefined) {
      const entries = this.eventLog.kept();
      return {
        whole: this.#events.isWhole,
        entries,
        replay: (target, signal) => this.#replayPast(target, signal),
      };
    }
    const part = { until: journal.place(), without: this.#untoldEnd };
    return {
      whole: true,
      replay: async (target, signal) => {
        await this.#replayPast(target, signal);
        await journal.replay(target, signal, part);
      },
    };
  }

  /** Sends the messages that the agent has kept of before this session. */
  async #replayPast(target: ReplayTarget, signal: AbortSignal): Promise<ReplayResult> {
    return await replayTo({ ...target, records: this.#agent.past ?? [], signal });
  }

  get connections(): number {
    return this.#clients.size;
  }

  get running(): boolean {
    return this.#turns.turnId !== undefined;
  }

  get idle(): boolean {
    return this.#clients.isEmpty && !this.running && this.core.size === 0;
  }

  get isContinued(): boolean {
    return this.#journal?.firstPrompt !== undefined;
  }

  /** True once there was a turn. */
  get used(): boolean {
    return this.#turns.used;
  }

  /** Changes with each client that comes. */
  get activity(): number {
    return this.#clients.activity;
  }

  get pending(): readonly AnyInteraction[] {
    return this.core.pending();
  }

  get attendance(): Attendance {
    return this.#rules.attendance;
  }

  set attendance(attendance: Attendance) {
    this.#rules.attendance = attendance;
    this.core.reconsider();
    this.#tellAgent();
  }

  get yolo(): boolean {
    return this.#rules.yolo;
  }

  set yolo(yolo: boolean) {
    this.#rules.yolo = yolo;
    this.#tellAgent();
  }

  get planMode(): boolean {
    return this.#planMode;
  }

  set planMode(enabled: boolean) {
    this.#planMode = enabled;
    this.broadcast({ type: "StatusUpdate", payload: { plan_mode: enabled } });
    this.#tellAgent();
  }

  get doNotAsk(): boolean {
    return this.#rules.doNotAsk;
  }

  set doNotAsk(enabled: boolean) {
    this.setDoNotAsk(enabled);
  }

  policyDecided(decision: PolicyDecision): void {
    this.#events.policyDecided(decision);
  }

  /**
   * Ends open questions and all further ones, or asks again (P-XDN-1).
   *
   * @param by the client that says so. Default: this process.
   */
  setDoNotAsk(enabled: boolean, by?: ClientName): void {
    if (enabled === this.doNotAsk) return;
    this.#rules.doNotAsk = enabled;
    this.#events.doNotAsk(enabled, by);
    this.#tellAgent();
    if (enabled) this.#rules.endQuestions(this.core.pending());
  }

  get offer(): ToolOffer {
    return this.#clients.offer(this.#rules.offered);
  }

  get commands(): readonly SlashCommand[] {
    return this.#agent.commands ?? [];
  }

  commandsChanged(): void {
    this.#events.commands(this.commands);
  }

  get externalTools(): readonly Tool[] {
    return this.broughtTools.tools();
  }

  get clientHooks(): readonly ClientHook[] {
    return this.hooks.offered((call) => this.#turns.open(call));
  }

  get takesTools() {
    return this.#agent.takesTools ?? "now";
  }

  /** Has the agent look at the tools of clients; undefined where it need not, or cannot now. */
  offered(): Promise<readonly RefusedTool[]> | undefined {
    return this.running ? undefined : this.#agent.offered?.();
  }

  /** Settles once the agent can introduce itself; undefined where that is now. */
  get ready(): Promise<void> | undefined {
    return this.#agent.ready;
  }

  /** The names that no tool of a client may have. */
  get builtinTools(): ReadonlySet<string> {
    return new Set(this.#ownTools.map(({ name }) => name));
  }

  /**
   * Adds a client, or updates a client whose abilities changed. The client is shown the open requests, or closed with
   * the session.
   */
  attach(client: RemoteClient): void {
    // The request that brought the client here is answered first.
    if (this.#closing !== undefined) return void setImmediate(() => client.close());
    this.#clients.attach(client);
    this.#turns.startAttended();
    this.#options.onChanged?.();
    this.#tellAgent();
  }

  /**
   * Takes a client away. Requests that it alone could answer end as `client_lost` after the grace. Tools and hooks of a
   * client that may return stay as long.
   *
   * @param client undefined for the end of a connection whose client never spoke.
   * @param last set if the session ends with this client: the end of a kept one then settles its requests (P-CLO-1).
   */
  detach(client: RemoteClient | undefined, graceMs: number, last = false): void {
    if (client !== undefined) this.#clients.detach(client, last && this.#journal ? FOREVER_MS : graceMs);
    this.#options.onChanged?.();
    this.#tellAgent();
    this.#tellIfIdle();
  }

  /**
   * Adds a client in this process, which is shown what is open. Returns what takes it away again: requests that only it
   * could answer then end `client_lost`.
   *
   * @throws LocalError CLOSED once the session ends.
   */
  join(client: InProcessClient): () => void {
    if (this.#closing !== undefined) throw new LocalError("CLOSED", "the session is closed");
    const leave = this.#clients.join(
      this.synced === undefined ? client : behindGate(client, new SyncGate(this.synced)),
    );
    this.#turns.startAttended();
    this.#tellAgent();
    return () => {
      if (!leave()) return;
      this.#tellAgent();
      this.#tellIfIdle();
    };
  }

  get workDir(): string {
    return this.#options.workDir;
  }

  watch(changed: () => void): () => void {
    this.#watchers ??= watchers((err) =>
      this.#options.log.error({ session: this.id, err }, "the agent failed at a change of its session"),
    );
    return this.#watchers.watch(changed);
  }

  #tellAgent(): void {
    this.#watchers?.tell();
  }

  #tellIfIdle(): void {
    if (this.idle && this.#closing === undefined) this.#options.onIdle?.();
  }

  open(request: AnyInteraction): void {
    this.#turns.open(request);
  }

  broadcast(event: WireEventInput): void {
    this.#events.broadcast(event);
  }

  async notify(notice: Notice): Promise<void> {
    const { clock } = this.#options;
    const payload = { payload: {}, ...notice, id: uuid(), created_at: clock.now() / 1000 };
    this.broadcast({ type: "Notification", payload });
    if (this.#agent.relays === true) return;
    // The last client that was asked may be lost meanwhile.
    if (await tellNotice(this.hooks, this.#openHook, notice)) this.#tellIfIdle();
  }

  prompt(input: UserInput, origin?: PromptOrigin): Promise<PromptResult> {
    const result = this.#turns.prompt(input, origin);
    if (this.#promptTitle === undefined && findCommand(this.commands, input) === undefined)
      this.#promptTitle = promptTitle(input);
    this.#act();
    return result;
  }

  steer(input: UserInput, by?: ClientName, id?: string): void {
    this.#turns.steer(input, by, id);
  }

  /**
   * Joins a client to the running turn if an earlier process left it: the words reach its agent as words in between,
   * and answer nothing (P-KPT-4).
   *
   * @returns its input and its result; undefined for another turn, or none.
   */
  joinLeftTurn(
    words: UserInput,
  ): { readonly input: UserInput; readonly result: Promise<PromptResult> } | undefined {
    return this.#turns.joinLeft(words);
  }

  cancel(turnId?: string): void {
    this.#turns.cancel(turnId);
  }

  /** Writes the journal, so that readers of the file find all of an ended turn. The wait for a slow disk is bounded. */
  async #write(journal: Journal, ended: OwnRecord<"TurnEnded">): Promise<void> {
    const saving = journal.saveHistory?.();
    if (saving !== undefined) await this.#atMost(saving);
    const from = journal.place();
    journal.turnEnded(ended);
    this.#untoldEnd = { from, to: journal.place() };
    await this.#atMost(journal.flush());
  }

  /** Waits for the records of what clients are still to be told. The wait for a slow disk is bounded. */
  async #untilSynced(): Promise<void> {
    const syncing = this.synced?.();
    if (syncing !== undefined) await this.#atMost(syncing);
  }

  /** Waits for the disk for a bounded time, whether it fails or not. */
  async #atMost(writing: Promise<void>): Promise<void> {
    await atMost(
      this.#options.clock,
      WRITE_MS,
      writing.catch(() => {}),
    );
  }

  /** The journal can be kept no more: the session ends, and no client is told an end of what is open (P-DUR-8). */
  #lose(): void {
    this.#clients.leave(closeCodes.Internal, "the session cannot be kept any more");
    void this.close("shutdown");
  }

  /**
   * Sends the record of the journal to one client, as far as it went when this began (P-JRN-10), and while a turn runs
   * up to the attach of the client (P-XRP-2).
   *
   * @param seam the end of the journal at the attach. Default: the client may not replay during a turn.
   * @throws WireError InvalidState while a turn runs, without a seam.
   */
  async replay(target: ReplayTarget, signal: AbortSignal, seam?: Place): Promise<ReplayResult> {
    if (seam === undefined) this.#turns.refuseWhileBusy();
    const past = await this.#replayPast(target, signal);
    if (this.#journal === undefined || past.status === "cancelled") return past;
    const own = await this.#replayOwn(this.#journal, target, signal, seam);
    const { status } = own;
    return { status, events: past.events + own.events, requests: past.requests + own.requests };
  }

  #replayOwn(
    journal: Journal,
    target: ReplayTarget,
    signal: AbortSignal,
    seam: Place | undefined,
  ): Promise<ReplayResult> {
    if (seam === undefined || !this.running) return journal.replay(target, signal);
    // The place is read later, and kept for another replay.
    const until = {
      get at() {
        return seam.at;
      },
      release() {},
    };
    return journal.replay(target, signal, { until });
  }

  /** The end of the journal at this moment. Its owner releases it. */
  place(): Place | undefined {
    return this.#journal?.place();
  }

  close(reason: "session_closed" | "shutdown" = "session_closed"): Promise<void> {
    this.#closing ??= this.#end(reason);
    return this.#closing;
  }

  /** Ends it as the process does: the next one goes on with a kept turn whose agent resumes (P-RES-9). */
  leave(reason: "session_closed" | "shutdown" = "session_closed"): Promise<void> {
    this.#closing ??= this.#end(reason, true);
    return this.#closing;
  }

  /** True if a turn of this session can outlive the process (P-KPT-3). */
  get #resumes(): boolean {
    return this.#journal !== undefined && this.#options.resume !== false && this.#agent.resumes === true;
  }

  /** True while a turn runs that the next process can go on with. */
  get #isResumable(): boolean {
    return this.#resumes && this.running;
  }

  async #end(reason: "session_closed" | "shutdown", leaves = false): Promise<void> {
    this.#turns.close();
    if (this.#agent.relays !== true) await tellEnd(this.hooks, this.#openHook, reason, this.#options.clock);
    const ending = () => outcomeNow("withdrawn", { reason, by: "system" });
    const leftAsks = leaves && this.#leaveAsks();
    if (leaves && this.#isResumable) await this.#suspend(ending);
    else await this.#turns.end(ending);
    this.#clients.close();
    await this.#untilSynced();
    // The prompt's reply follows the end of the turn, and goes out before the connection closes.
    await new Promise((resolve) => setImmediate(resolve));
    if (leftAsks) this.#clients.leave(closeCodes.Restart, "the server is stopping");
    else this.#clients.leave();
    this.#openFile?.close();
    this.#watchers = undefined;
    await this.#endAgent();
    await this.#journal?.close();
    this.#options.onClosed?.();
  }

  /** Ends an agent that was made for this session. The wait for the agent is bounded. */
  async #endAgent(): Promise<void> {
    const { agent, clock, log } = this.#options;
    if (typeof agent !== "function" || this.#agent.close === undefined) return;
    const end = async () => this.#agent.close?.();
    const logged = (err: unknown) => log.error({ session: this.id, err }, "the agent failed at its end");
    await atMost(clock, AGENT_END_MS, end().catch(logged));
  }

  /** Leaves what programs ask to the next process (P-XAK-8). Returns whether there is any. */
  #leaveAsks(): boolean {
    const { resume } = this.#options;
    const isLeft = (request: AnyInteraction) => request.kind === "question" && request.program !== undefined;
    if (this.#journal === undefined || resume === false || !this.core.pending().some(isLeft)) return false;
    this.#openFile?.close();
    this.core.suspendScope(this.#askScope, new SessionSuspended());
    return true;
  }

  /** Clients are let go first: they must not take the end of the wait for the end of the turn. */
  async #suspend(ending: () => Outcome): Promise<void> {
    const { turnId } = this.#turns;
    if (turnId !== undefined) this.#journal?.turnSuspended(turnId);
    this.#openFile?.close();
    this.#clients.close();
    const ended = this.#turns.suspend(ending);
    this.#clients.leave(closeCodes.Restart, "the server is stopping");
    await ended;
  }

  /** Keeps an approval that was given for the session, and tells every client of a settled approval (P-APR-2). */
  #settled(request: AnyInteraction, { outcome, answer }: Settlement<unknown>, sent: boolean): void {
    if (sent) {
      this.#events.settled(request, outcome, answer);
      if (request.kind === "question" && request.background) this.#events.overForBase(request);
      this.#act();
    }
    if (request.kind !== "approval") return;
    const { response, feedback } = approvalResponse(answer);
    if (!sent && outcome.status === "answered") {
      this.#rules.passed(request);
      if (outcome.by === "policy") this.policyDecided(this.#rules.decision(request, response));
    }
    const wordless = response === "reject" && feedback.trim() === "" && request.origin === undefined;
    if (wordless && outcome.status === "answered" && outcome.by === "human") this.#turns.endAfterStep();
    if (sent)
      this.broadcast({ type: "ApprovalResponse", payload: { request_id: request.id, response, feedback } });
    if (answer !== undefined && outcome.by === "human" && !request.relayed) {
      this.#rules.decided(request, answer as ApprovalAnswer, this.core.pending());
    }
  }
}

/** Longer than the rest of a process that has lost its only client: the longest that a timer waits. */
const FOREVER_MS = 2 ** 31 - 1;

/**
 * The session behind its published face.
 *
 * @throws TypeError for an object that no server made.
 */
export function servedSession(session: Session): ServedSession {
  if (session instanceof ServedSession) return session;
  throw new TypeError("session: expected one that a server of this package made: see createSession");
}
