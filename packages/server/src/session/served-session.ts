import {
  type ActingClient,
  type AnsweringClient,
  type AttachedSession,
  closeCodes,
  defaultLimits,
  LocalError,
  type PolicyDecision,
  type Principal,
  type PromptResult,
  type SessionState,
  type UserInput,
  type WireEventInput,
} from "@askwire/protocol";
import type { SlashCommand, Tool, ToolOffer } from "../agent/agent.js";
import type { AgentMemory, ClientHook, History } from "../agent/agent-session.js";
import type { Notice } from "../agent/notice.js";
import type { Hooks } from "../hooks/hooks.js";
import { tellNotice } from "../hooks/session-hooks.js";
import type { ParkedRequests } from "../measures/observation.js";
import type { ClientName } from "../profiles/profile.js";
import { nobodyKnown } from "../requests/addressing.js";
import { answerCounts, type WouldAnswer } from "../requests/answer-rights.js";
import {
  type AnyInteraction,
  type Attendance,
  type InteractionCore,
  isForClient,
  type PersonRequest,
} from "../requests/core.js";
import type { RequestClaims } from "../requests/request-claims.js";
import { uuid } from "../runtime/uuid.js";
import { findCommand } from "../turn/slash-command.js";
import { agentMemory } from "./agent-memory.js";
import { Answers } from "./answers.js";
import type { AskingRules } from "./asking-rules.js";
import { Asks } from "./asks.js";
import { behindGate, type InProcessClient, type RemoteClient } from "./client.js";
import type { ClientHub } from "./client-hub.js";
import type { EventLog } from "./event-log.js";
import type { ExternalTools } from "./external-tools.js";
import type { Listing } from "./listing.js";
import { LiveOutput } from "./live-output.js";
import { OwnDrafts } from "./own-drafts.js";
import type { Session } from "./session.js";
import type { SessionAgent } from "./session-agent.js";
import type { EndReason, SessionEnd } from "./session-end.js";
import { callsOf, givenApprovals, type RequestUpdate, type SessionEvents } from "./session-events.js";
import type { PromptOrigin } from "./session-options.js";
import type { SessionParts } from "./session-parts.js";
import type { SessionPast } from "./session-past.js";
import { type Synced, SyncGate } from "./sync-gate.js";
import type { TurnGate } from "./turn-gate.js";

/** A session with the members that its server and its clients need. Each part of it has a file of its own. */
export class ServedSession implements Session {
  readonly id: string;
  readonly history: History | undefined;
  readonly memory: AgentMemory | undefined;
  /** Every open request; clients bring it their answers. */
  readonly core: InteractionCore;
  /** The agent, for what clients offer it. */
  readonly agent: SessionAgent;
  /** The tools that clients bring. */
  readonly broughtTools: ExternalTools;
  /** The hooks that clients subscribed. */
  readonly hooks: Hooks;
  /** The sync that messages of its clients wait for; undefined for a session that is not kept. */
  readonly synced: Synced | undefined;
  readonly #parts: SessionParts;
  readonly #end: SessionEnd;
  readonly #rules: AskingRules;
  readonly #clients: ClientHub;
  readonly #turns: TurnGate;
  readonly #events: SessionEvents;
  #planMode: boolean;
  #answers: Answers | undefined;
  #asks: Asks | undefined;
  #output: LiveOutput | undefined;

  /** For `makeSession`, which makes the agent afterwards. */
  constructor(parts: SessionParts, end: SessionEnd) {
    const { id, options, journal } = parts;
    this.id = id;
    this.history = options.kept?.history;
    this.memory = journal && agentMemory(journal);
    this.core = parts.core;
    this.agent = parts.agent;
    this.broughtTools = parts.broughtTools;
    this.hooks = parts.hooks;
    this.synced = journal?.synced;
    this.#parts = parts;
    this.#end = end;
    this.#rules = parts.rules;
    this.#clients = parts.clients;
    this.#turns = parts.turns;
    this.#events = parts.events;
    this.#planMode = journal?.planMode ?? false;
  }

  /** The answers of extended clients. */
  get answers(): Answers {
    const { options, journal } = this.#parts;
    const { elsewhere = () => false, maxText = defaultLimits.outboundLength } = options;
    this.#answers ??= new Answers(
      { core: this.core, elsewhere, events: this.#events, claims: this.claims },
      maxText,
      journal?.left.settled ?? [],
    );
    return this.#answers;
  }

  /** The unsent work of persons on its requests. */
  get drafts(): OwnDrafts {
    const { id, options } = this.#parts;
    const find = (...request: [string, string]) => this.answers.openFor(...request);
    return new OwnDrafts(id, options.drafts, find);
  }

  /** The questions that connected programs ask. */
  get asks(): Asks {
    const { options, journal, askScope } = this.#parts;
    this.#asks ??= new Asks({
      open: (request) => this.#turns.openBeside(request, askScope),
      changed: (request) => this.#events.updated(request, this.core.answering(request.id)),
      clock: options.clock,
      kept: journal?.asks ?? [],
    });
    return this.#asks;
  }

  /** What the running calls have printed. */
  get output(): LiveOutput {
    const { id, options } = this.#parts;
    this.#output ??= new LiveOutput((err) => options.log.error({ session: id, err }, "output was not told"));
    return this.#output;
  }

  /** Forgets what a call has printed, since its result says it. */
  callEnded(callId: string): void {
    this.#output?.ended(callId);
  }

  /** The update for a client that is shown an open request late; undefined without one (P-XST-5, P-XAK-10). */
  updateOf(request: PersonRequest): RequestUpdate | undefined {
    const answering = this.core.answering(request.id);
    const isTaken = this.claims.of(request.id) !== undefined;
    const isPlain = !isTaken && (answering ?? []).length === 0 && callsOf(request) === undefined;
    return isPlain && givenApprovals(request).approved_by === undefined
      ? undefined
      : this.#events.updateOf(request, answering);
  }

  /** The clients whose persons are answering a request, as far as they tell, or have taken it. */
  answering(requestId: string): readonly AnsweringClient[] {
    return this.#events.answeringOf(requestId, this.core.answering(requestId));
  }

  /** The claims on its open requests. */
  get claims(): RequestClaims {
    return this.#parts.claims;
  }

  /** The name that the server gave its agent; undefined without one. */
  get agentName(): string | undefined {
    return this.#parts.options.agentName;
  }

  /** The events for extended clients. */
  get eventLog(): EventLog {
    return this.#events.log;
  }

  get state(): SessionState {
    return this.#parts.activity.state;
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
    const resumes = this.#end.canLeaveTurns ? { resumes: true } : {};
    const found = { id, stream, seq, state, plan_mode, ...asks, ...resumes, pending, reset };
    return turnId === undefined ? found : { ...found, turn_id: turnId };
  }

  /** The times of the session, and the title by which lists show it. */
  get listing(): Listing {
    return this.#parts.listing;
  }

  get title(): string | undefined {
    return this.listing.title;
  }

  set title(title: string | undefined) {
    this.listing.title = title;
  }

  /** The record of the session, for clients. */
  get past(): SessionPast {
    return this.#parts.past;
  }

  get connections(): number {
    return this.#clients.size;
  }

  get running(): boolean {
    return this.#parts.activity.running;
  }

  get idle(): boolean {
    return this.isUnused && this.core.size === 0;
  }

  /** True while nobody is here and no turn runs. */
  get isUnused(): boolean {
    return this.#clients.isEmpty && !this.running;
  }

  /**
   * True for an unused session in which requests of programs wait and nothing else, all of it kept, so that the session
   * can be opened again as it is (P-SES-7).
   */
  get canBeParked(): boolean {
    const { journal, rules, agent, listing, options } = this.#parts;
    const goesOn = journal !== undefined && options.resume !== false && !agent.relays;
    const isWhole = goesOn && rules.areKept && listing.isTitleKept;
    return (
      isWhole &&
      this.isUnused &&
      this.core.size > 0 &&
      !this.core.isAwaiting &&
      !this.claims.any &&
      this.core.pending().every(waitsAlone)
    );
  }

  get isKept(): boolean {
    return this.#parts.journal !== undefined;
  }

  get isContinued(): boolean {
    return this.#parts.journal?.firstPrompt !== undefined;
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
    this.agent.tell();
  }

  get yolo(): boolean {
    return this.#rules.yolo;
  }

  set yolo(yolo: boolean) {
    this.#rules.yolo = yolo;
    this.agent.tell();
  }

  get planMode(): boolean {
    return this.#planMode;
  }

  set planMode(enabled: boolean) {
    this.#planMode = enabled;
    this.broadcast({ type: "StatusUpdate", payload: { plan_mode: enabled } });
    this.agent.tell();
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
  setDoNotAsk(enabled: boolean, by?: ActingClient): void {
    if (enabled === this.doNotAsk) return;
    this.#rules.setDoNotAsk(enabled, by);
    this.#events.doNotAsk(enabled, by);
    this.agent.tell();
    if (enabled) this.#rules.endQuestions(this.core.pending());
  }

  get offer(): ToolOffer {
    const offer = this.#clients.offer(this.#rules.offered);
    return this.doNotAsk ? { ...offer, canAsk: false } : offer;
  }

  get commands(): readonly SlashCommand[] {
    return this.agent.commands;
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

  /**
   * Adds a client, or updates a client whose abilities changed. The client is shown the open requests, or closed with
   * the session.
   */
  attach(client: RemoteClient): void {
    if (this.#end.isBegun) return this.#turnAway(client);
    this.#clients.attach(client);
    this.#turns.startAttended();
    this.listing.changed();
    this.agent.tell();
  }

  /** Closes a client that comes while the session ends. One that is new here comes again, and hears whether it is there. */
  #turnAway(client: RemoteClient): void {
    const isNew = !this.#clients.has(client);
    // The request that brought the client here is answered first.
    setImmediate(() =>
      isNew ? client.close(closeCodes.TryAgain, "the session ends here: come again") : client.close(),
    );
  }

  /**
   * Takes a client away. Requests that it alone could answer end as `client_lost` after the grace. Tools and hooks of a
   * client that may return stay as long.
   *
   * @param client undefined for the end of a connection whose client never spoke.
   * @param last set if the session ends with this client: the end of a kept one then settles its requests (P-CLO-1).
   */
  detach(client: RemoteClient | undefined, graceMs: number, last = false): void {
    if (client !== undefined)
      this.#clients.detach(client, last && this.#parts.journal ? FOREVER_MS : graceMs);
    this.listing.changed();
    this.agent.tell();
    this.tellIfUnused();
  }

  /**
   * Adds a client in this process, which is shown what is open. Returns what takes it away again: requests that only it
   * could answer then end `client_lost`.
   *
   * @throws LocalError CLOSED once the session ends.
   */
  join(client: InProcessClient): () => void {
    if (this.#end.isBegun) throw new LocalError("CLOSED", "the session is closed");
    const leave = this.#clients.join(
      this.synced === undefined ? client : behindGate(client, new SyncGate(this.synced)),
    );
    this.#turns.startAttended();
    this.agent.tell();
    return () => {
      if (!leave()) return;
      this.agent.tell();
      this.tellIfUnused();
    };
  }

  get workDir(): string {
    return this.#parts.options.workDir;
  }

  watch(changed: () => void): () => void {
    return this.agent.watch(changed);
  }

  /** A client does not come back. */
  gone(clientId: string): void {
    this.broughtTools.release(clientId);
    this.hooks.release(clientId);
    this.#asks?.lost(clientId);
    this.agent.tell();
  }

  /** Tells the server where the session may leave memory. */
  tellIfUnused(): void {
    if (this.isUnused && !this.#end.isBegun) this.#parts.options.onUnused?.();
  }

  open(request: AnyInteraction): void {
    this.#turns.open(request);
  }

  broadcast(event: WireEventInput): void {
    this.#events.broadcast(event);
  }

  async notify(notice: Notice): Promise<void> {
    const { clock } = this.#parts.options;
    const payload = { payload: {}, ...notice, id: uuid(), created_at: clock.now() / 1000 };
    this.broadcast({ type: "Notification", payload });
    if (this.agent.relays) return;
    // The last client that was asked may be lost meanwhile.
    if (await tellNotice(this.hooks, this.#parts.openHook, notice)) this.tellIfUnused();
  }

  /** The person who began the running turn, or the last one; undefined where the door knew nobody (P-XRQ-5). */
  get owner(): Principal | undefined {
    return this.#turns.owner;
  }

  prompt(input: UserInput, origin?: PromptOrigin): Promise<PromptResult> {
    const result = this.#turns.prompt(input, origin);
    const { listing } = this;
    if (listing.lacksPrompt && findCommand(this.commands, input) === undefined) listing.prompted(input);
    listing.act();
    return result;
  }

  steer(input: UserInput, client?: ClientName, id?: string, who?: WouldAnswer): void {
    const mayAnswer = (request: PersonRequest) => answerCounts(request, who ?? nobodyHere, this.claims);
    this.#turns.steer(input, { client, person: who?.person, mayAnswer }, id);
  }

  /** The persons have other roles: a client is shown what is for its person now, and nothing else (P-XTO-2). */
  readdress(client: RemoteClient): void {
    this.core.readdress(client.id);
  }

  /** Ends the claims on requests that are for others now. */
  reviewClaims(): void {
    this.claims.review((requestId) => {
      const found = this.core.find(requestId);
      return "code" in found || isForClient(found) ? undefined : found.addressing?.to;
    });
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

  close(reason?: EndReason): Promise<void> {
    return this.#end.close(reason);
  }

  /** Leaves memory with what is open in it. Gives the requests of which observers know, which stay open for them. */
  park(): { readonly observed: ParkedRequests | undefined; readonly left: Promise<void> } {
    const observed = this.#parts.options.observation?.park();
    return { observed, left: this.leave("shutdown") };
  }

  /** Ends it as the process does: the next one goes on with a kept turn whose agent resumes (P-RES-9). */
  leave(reason?: EndReason): Promise<void> {
    return this.#end.leave(reason);
  }
}

/** True for a request whose program keeps no connection for it. */
const waitsAlone = (request: AnyInteraction): boolean =>
  !isForClient(request) && request.program !== undefined && request.program.bound === undefined;

/** This process, which says words in the name of nobody. */
const nobodyHere: WouldAnswer = { person: nobodyKnown, holderId: "" };

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
