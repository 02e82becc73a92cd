import { resolve } from "node:path";
import { defaultLimits, LocalError, WireError } from "@askwire/protocol";
import { defined } from "@askwire/protocol/internal";
import type { ComingSession, NamedSessions } from "../connection/entrance.js";
import { checkDialects } from "../dialects/check-dialects.js";
import { type Observation, SessionObservation } from "../measures/observation.js";
import type { Clock } from "../runtime/clock.js";
import type { Log } from "../runtime/log.js";
import { mayBeLeft } from "../runtime/may-be-left.js";
import { Remembered } from "../runtime/remembered.js";
import { newSessionId } from "../runtime/uuid.js";
import { type Watchers, watchers } from "../runtime/watchers.js";
import { DraftTable } from "../session/draft-table.js";
import { defaultEventLogLimits } from "../session/event-log.js";
import { requestsOf } from "../session/listed.js";
import { makeSession } from "../session/make-session.js";
import type { ServedSession } from "../session/served-session.js";
import type { Keep, KeptSession, ParkedMarks, SessionOptions } from "../session/session-options.js";
import type { KeptFinder } from "./kept-finder.js";
import { type ParkedSession, ParkedSessions } from "./parked-sessions.js";
import type { NewSession, ServerOptions } from "./server-options.js";

export interface SessionTableOptions extends ServerOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly kept: KeptFinder;
  /** The name of this machine. */
  readonly host: string;
  /** Default: nobody observes. */
  readonly observation: Observation | undefined;
  /** True for a session that a connection is in. */
  readonly isConnected: (session: ServedSession) => boolean;
}

/** The stay of a session without any turn, in milliseconds: short visits must not keep others out (P-SES-3). */
const UNUSED_MS = 30_000;
/** The stay of an unused session in which requests of programs wait, in milliseconds (P-SES-7). */
const PARKED_AFTER_MS = 30_000;
/** The most parked sessions. */
const MOST_PARKED = 200_000;
/** The parked sessions that are open at once for their deadlines alone. */
const MOST_DUE_AT_ONCE = 16;
/** The time until a parked session is opened again for a deadline, where it could not be opened, in milliseconds. */
const DUE_AGAIN_MS = 30_000;

/** The parts of a session that is made. */
type MadeSession = Required<Pick<NewSession, "id" | "stay">> & { readonly workDir: string | undefined };

/** The sessions of a server that are in memory: they are made here, and leave when nobody has used them for a while. */
export class SessionTable implements NamedSessions {
  readonly byId = new Map<string, ServedSession>();
  /** Those whose kept part is being opened. */
  readonly #opening = new Map<string, Promise<ServedSession>>();
  readonly #options: SessionTableOptions;
  /** The parts that all sessions have alike. */
  readonly #common: Omit<SessionOptions, "id">;
  readonly #maxSessions: number;
  /** Functions that cancel the timers of unused sessions. */
  readonly #forgetting = new Map<ServedSession, () => void>();
  /** Those that have left memory, and are open for everybody else (P-SES-7). */
  readonly #parked: ParkedSessions;
  /** Those of them in which a deadline has come. */
  readonly #due = new Set<string>();
  #dueOpening = 0;
  /** The ends of those that are being parked: they are opened again no sooner. */
  readonly #parking = new Map<string, Promise<void>>();
  /** Sessions that a client has closed: those are over, and nobody is offered to resume them. */
  readonly #closedByClients: Remembered<true>;
  readonly #watchers: Watchers<[id: string]>;
  /** Those of changes that lists of sessions do not show. */
  readonly #answeringWatchers: Watchers<[id: string]>;
  /** Those in which somebody has taken a request. */
  readonly #claimed = new Set<ServedSession>();
  /** The unsent work of persons, which outlives the parking of a session. */
  readonly #drafts: DraftTable;
  #isClosed = false;

  /** @throws TypeError if a dialect is invalid, or two have a tool of the same name. */
  constructor(options: SessionTableOptions) {
    const { maxSessions = 256, log } = options;
    this.#options = options;
    this.#drafts = new DraftTable(options.clock);
    this.#common = { ...commonOptions(options), drafts: this.#drafts };
    this.#maxSessions = maxSessions;
    this.#closedByClients = new Remembered(maxSessions);
    this.#parked = new ParkedSessions(options.clock, (id) => this.#openDue(id));
    const failed = (err: unknown, session: string) =>
      log.error({ session, err }, "a watcher of the sessions failed");
    this.#watchers = watchers(failed);
    this.#answeringWatchers = watchers(failed);
  }

  /** True once no further session comes. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** True for as many sessions as there may be. */
  get isFull(): boolean {
    return this.byId.size + this.#opening.size >= this.#maxSessions;
  }

  /** True for one that is in memory or parked: for clients it is there. */
  has(id: string): boolean {
    return this.byId.has(id) || this.#parked.has(id);
  }

  find(id: string): ServedSession | undefined {
    return this.byId.get(id);
  }

  /** One that has left memory while requests are open in it, and that is opened for whoever comes (P-SES-7). */
  parked(id: string): ParkedSession | undefined {
    return this.#parked.get(id);
  }

  /** True in the moment in which a session is being parked. */
  isParking(id: string): boolean {
    return this.#parking.has(id);
  }

  /** True for one that whoever may enter opens: not for one of another node that is listed with nothing open in it. */
  isParked(id: string): boolean {
    const parked = this.#parked.get(id);
    return parked !== undefined && !isIdle(parked);
  }

  /** True for one that is parked, or whose kept part is being opened. */
  isComing(id: string): boolean {
    return this.isParked(id) || this.#opening.has(id);
  }

  /** True while the kept part of one is being opened. */
  isOpening(id: string): boolean {
    return this.#opening.has(id) || this.#parking.has(id);
  }

  /** All that are parked. */
  parkedOnes(): Iterable<ParkedSession> {
    return this.#parked.all();
  }

  /** Lists a session that another node has, or no node, as a parked one (P-NOD-5). */
  listShared(shared: ParkedSession): void {
    this.#leaveParked(this.#parked.get(shared.id));
    this.#parked.add(shared);
    this.#watchers.tell(shared.id);
  }

  /** Lists a parked session no longer. */
  unlist(id: string): void {
    this.#unpark(id);
  }

  /** The number of sessions that are in memory or parked. */
  get count(): number {
    return this.byId.size + this.#parked.size;
  }

  /** The ids of all that are in memory or parked. */
  *ids(): Generator<string, void, undefined> {
    yield* this.byId.keys();
    yield* this.#parked.ids();
  }

  isKept(id: string): boolean | Promise<boolean> {
    return this.mayBeKept(id) && this.#options.kept.isKept(id);
  }

  /** True for a row of a kept session that clients may open. */
  canOpen(id: string): boolean {
    return this.isAway(id) && this.#options.kept.canOpen(id);
  }

  /** True for one that is not in memory, not parked, and that no client has closed. */
  isAway(id: string): boolean {
    return !this.has(id) && this.#closedByClients.get(id) === undefined;
  }

  /** True for one that is not open here, for nobody, and that no client has closed. */
  mayBeKept(id: string): boolean {
    return !this.byId.has(id) && !this.isParked(id) && this.#closedByClients.get(id) === undefined;
  }

  /** Opens a kept session for a client, which is told that another process has it, and not where. */
  open(id: string): ComingSession {
    const refused = (error: unknown): never => {
      if (!isInUse(error)) throw error;
      this.#options.log.info({ session: id, why: String(error) }, "a session is not opened here");
      const why = `session.id: session ${id} is open elsewhere, or was moved: the server's log says where`;
      throw new WireError("InvalidState", why);
    };
    try {
      const opening = this.#opening.get(id) ?? this.createUnused({ id });
      return opening instanceof Promise ? opening.catch(refused) : opening;
    } catch (error) {
      return refused(error);
    }
  }

  /** Makes a session that leaves memory where nobody uses it. Throws as {@link create}. */
  createUnused(options?: NewSession): ComingSession {
    const opening = this.create(options);
    // One that is opened later does so of itself.
    if (!(opening instanceof Promise)) this.#forgetIfIdle(opening);
    return opening;
  }

  /**
   * Makes a session: at once where its kept part is opened at once.
   *
   * @throws WireError Overloaded at the limit of sessions, InvalidState for an id in use, what opening the kept part
   * throws. The promise rejects with what that does, and with LocalError CLOSED at the end of the server.
   */
  create({ id = newSessionId(), stay = false, workDir: named }: NewSession = {}): ComingSession {
    const folder = named ?? this.#parked.get(id)?.folder;
    const workDir = folder === undefined ? undefined : resolve(folder);
    this.#refuse(id);
    const kept = this.#openKept(id, workDir);
    if (!(kept instanceof Promise)) return this.#make({ id, stay, workDir }, kept);
    const opening = this.#openLater({ id, stay, workDir }, kept);
    this.#opening.set(id, opening);
    // Whoever asked for it hears of a failure, unless they are gone.
    return mayBeLeft(opening);
  }

  /** Opens the kept part of a session, after the end of its parking. */
  #openKept(id: string, workDir: string | undefined): ReturnType<Keep> {
    const open = () => {
      try {
        return this.#options.kept.open?.(id, workDir);
      } catch (error) {
        this.#unparkIfInUse(id, error);
        throw error;
      }
    };
    return this.#parking.get(id)?.then(open) ?? open();
  }

  /** Another process has taken a parked session: it is open there alone. One that is listed as its stays listed. */
  #unparkIfInUse(id: string, error: unknown): void {
    const parked = this.#parked.get(id);
    if (isInUse(error) && parked !== undefined && parked.isElsewhere !== true) this.#unpark(id);
  }

  #unpark(id: string): void {
    this.#leaveParked(this.#parked.get(id));
    this.#parked.take(id);
    this.#drafts.ended(id);
    this.#watchers.tell(id);
  }

  /** The requests of a parked session are open no more in this process. */
  #leaveParked(parked: ParkedSession | undefined): void {
    for (const request of parked?.observed?.values() ?? [])
      this.#options.observation?.tell("requestLeft", request);
  }

  /** Makes a session once its kept part is open. One that comes too late is closed again. */
  async #openLater(part: MadeSession, kept: Promise<KeptSession | undefined>): Promise<ServedSession> {
    try {
      const found = await kept;
      if (this.#isClosed) {
        await found?.journal.close();
        throw new LocalError("CLOSED", `session ${part.id} was opened after the end of the server`);
      }
      const session = this.#make(part, found);
      if (!part.stay) this.#forgetIfIdle(session);
      return session;
    } catch (error) {
      this.#unparkIfInUse(part.id, error);
      throw error;
    } finally {
      this.#opening.delete(part.id);
    }
  }

  #make(part: MadeSession, kept: KeptSession | undefined): ServedSession {
    const parked = this.#parked.get(part.id);
    if (parked !== undefined) this.#refuseWithout(part.id, kept);
    const observed = this.#observed(part.id, kept, parked?.observed);
    observed?.begun();
    try {
      return this.#made(part, kept, { observation: observed, parked: marksOf(parked) });
    } catch (error) {
      observed?.closed();
      throw error;
    }
  }

  /** Refuses to open a parked session that cannot be kept now, or whose records are gone. */
  #refuseWithout(id: string, kept: KeptSession | undefined): void {
    if (kept?.journal.begunAt !== undefined) return;
    void kept?.journal.close();
    if (kept === undefined)
      throw new WireError("InvalidState", `session.id: session ${id} cannot be kept now`);
    this.#unpark(id);
    throw new WireError(
      "UnknownRequest",
      `session.id: there is no session ${id}: what was kept of it is gone`,
    );
  }

  /** @param open the requests of a parked session, of whose opening observers know. */
  #observed(
    id: string,
    kept: KeptSession | undefined,
    open: ParkedSession["observed"],
  ): SessionObservation | undefined {
    const { observation, clock } = this.#options;
    if (observation === undefined) return undefined;
    const state = () => this.byId.get(id)?.state ?? "idle";
    return new SessionObservation(observation, clock, { id, isKept: kept !== undefined, state, open });
  }

  #made(
    { id, stay, workDir }: MadeSession,
    kept: KeptSession | undefined,
    {
      observation,
      parked,
    }: {
      readonly observation: SessionObservation | undefined;
      readonly parked: ParkedMarks | undefined;
    },
  ): ServedSession {
    // The spread is not the first member: an object that begins with one takes 500 bytes more.
    const session = makeSession({
      id,
      elsewhere: (requestId) => this.#knows(requestId),
      onUnused: () => {
        if (!stay) this.#forgetIfIdle(session);
      },
      onChanged: () => this.#watchers.tell(id),
      onAnswering: () => {
        // Steps that came due meanwhile are made while the session is.
        if (this.byId.get(id) === undefined) return;
        this.#noteClaims(session);
        this.#answeringWatchers.tell(id);
      },
      onClosed: () => {
        this.#remove(session);
        observation?.closed();
      },
      ...this.#common,
      ...defined({ workDir, kept, parked, observation }),
    });
    this.#parked.take(id);
    observation?.goneOn();
    this.byId.set(id, session);
    this.#watchers.tell(id);
    return session;
  }

  #noteClaims(session: ServedSession): void {
    if (session.claims.any) this.#claimed.add(session);
    else this.#claimed.delete(session);
  }

  /** Ends the claims of a holder who has lost a connection, after the grace, unless they are here then (P-XCM-2). */
  leaveClaims(holder: string, graceMs: number, isHere: (holder: string) => boolean): void {
    // A session that is being opened may be one for a claim of theirs.
    if (this.#claimed.size === 0 && this.#opening.size === 0) return;
    this.#options.clock.after(graceMs, () => {
      if (isHere(holder)) return;
      for (const session of [...this.#claimed]) session.claims.left(holder);
    });
  }

  #knows(requestId: string): boolean {
    for (const { core } of this.byId.values()) if (core.knows(requestId)) return true;
    return this.#parked.knows(requestId);
  }

  /**
   * Opens a session that is over for everybody where it is parked, and gives what closes it. Undefined for an id that is
   * not there. Throws, or rejects, as {@link open}.
   */
  closingByClient(id: string): (() => void) | Promise<() => void> | undefined {
    const session = this.byId.get(id) ?? (this.#parked.has(id) ? this.open(id) : undefined);
    if (session === undefined) return undefined;
    const closing = (opened: ServedSession) => () => this.#close(opened);
    return session instanceof Promise ? session.then(closing) : closing(session);
  }

  #close(session: ServedSession): void {
    this.#closedByClients.set(session.id, true);
    void session.close();
  }

  /** Calls `changed` with the id of each session that has begun, changed or ended. The returned function ends that. */
  watch(changed: (id: string) => void): () => void {
    return this.#watchers.watch(changed);
  }

  /** As {@link watch}, and also where others answer an open request than before, or its deadline is another. */
  watchRequests(changed: (id: string) => void): () => void {
    const stops = [this.#watchers.watch(changed), this.#answeringWatchers.watch(changed)];
    return () => {
      for (const stop of stops) stop();
    };
  }

  /** Persons have other roles: claims are reviewed, and rows are to them something else than before (P-XTO-4). */
  rolesChanged(): void {
    for (const session of this.byId.values()) session.reviewClaims();
    for (const id of [...this.ids()]) this.#answeringWatchers.tell(id);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const parked of this.#parked.all()) this.#leaveParked(parked);
    this.#parked.close();
    for (const cancel of this.#forgetting.values()) cancel();
    this.#forgetting.clear();
    const openings = [...this.#opening.values()].map((opening) => opening.catch(ignore));
    const ends = [...this.byId.values()].map((session) => session.leave("shutdown"));
    await Promise.all([...ends, ...openings, ...this.#parking.values()]);
  }

  #refuse(id: string): void {
    // A parked one is open for everybody: it is no new one.
    if (this.isFull && !this.isParked(id)) {
      const data = { limit: "maxSessions" };
      throw new WireError("Overloaded", `more than ${this.#maxSessions} sessions`, { data });
    }
    if (this.byId.has(id) || this.#opening.has(id))
      throw new WireError("InvalidState", `session ${id} is open already`);
  }

  /** A session that nobody has used for a while leaves memory: closed where nothing is open, else parked. */
  #forgetIfIdle(session: ServedSession): void {
    const isIdle = session.idle;
    // A session that is not kept stays in memory with its open requests: they would be lost with it.
    if (this.#isClosed || !(isIdle || session.isKept)) return;
    const { clock, sessionIdleMs = 600_000 } = this.#options;
    const since = session.activity;
    this.#forgetting.get(session)?.();
    const idleMs = session.used ? sessionIdleMs : Math.min(sessionIdleMs, UNUSED_MS);
    const cancel = clock.after(isIdle ? idleMs : PARKED_AFTER_MS, () => {
      this.#forgetting.delete(session);
      if (!this.#isUnused(session) || session.activity !== since) return;
      // The last request has ended meanwhile.
      if (isIdle !== session.idle) return this.#forgetIfIdle(session);
      if (isIdle) return void session.close();
      const keeping = session.synced?.();
      if (keeping === undefined) return this.#parkOrWait(session);
      // A store that is away keeps it later, and a session whose records are lost ends with them.
      const kept = () => session.activity === since && this.#isUnused(session) && this.#parkOrWait(session);
      keeping.then(kept, ignore);
    });
    this.#forgetting.set(session, cancel);
  }

  /** Parks a session, unless this process waits for one of its requests, or for a client that was lost. */
  #parkOrWait(session: ServedSession): void {
    if (!this.#isClosed && !this.#parkIfPossible(session)) this.#forgetIfIdle(session);
  }

  #isUnused(session: ServedSession): boolean {
    return session.isUnused && !this.#options.isConnected(session);
  }

  #parkIfPossible(session: ServedSession): boolean {
    const { maxParkedSessions = MOST_PARKED } = this.#options;
    const canBe = session.canBeParked && this.#parked.ownCount < maxParkedSessions;
    if (canBe) this.#park(session);
    return canBe;
  }

  /** Lets a session leave memory with what is open in it, which lists show as before (P-SES-7). */
  #park(session: ServedSession): void {
    const { id, title, workDir: folder, owner } = session;
    const { madeAt, activeAt } = session.listing;
    const { host, log } = this.#options;
    const requests = requestsOf(session, host);
    const { observed, left } = session.park();
    this.#parked.add({ id, title, folder, madeAt, activeAt, owner, requests, observed });
    this.byId.delete(id);
    // Lists show the same rows, which are other objects now.
    this.#answeringWatchers.tell(id);
    const parking = left
      .catch((err: unknown) => log.error({ session: id, err }, "a session that left memory did not end well"))
      .then(() => void this.#parking.delete(id));
    this.#parking.set(id, parking);
  }

  /** Opens parked sessions in which a deadline has come, so that it counts: a few at a time, until none is due. */
  #openDue(id: string): void {
    this.#due.add(id);
    if (this.#dueOpening < MOST_DUE_AT_ONCE) void this.#openNextDue();
  }

  async #openNextDue(): Promise<void> {
    this.#dueOpening += 1;
    for (const id of this.#due) {
      this.#due.delete(id);
      if (!this.#isClosed && this.#parked.has(id)) await this.#endDeadline(id);
    }
    this.#dueOpening -= 1;
  }

  async #endDeadline(id: string): Promise<void> {
    const { clock, log } = this.#options;
    try {
      const session = await (this.#opening.get(id) ?? this.createUnused({ id }));
      // Behind the timer of the deadline, which has come.
      await new Promise<void>((resolve) => void clock.after(0, resolve, true));
      if (!this.#isUnused(session)) return;
      if (session.idle) void session.close();
      else this.#parkIfPossible(session);
    } catch (err) {
      if (this.#isClosed || !this.#parked.has(id)) return;
      log.warn({ session: id, err }, "a session is not opened for a deadline: tried again in 30 s");
      this.#parked.dueAgain(id, DUE_AGAIN_MS);
    }
  }

  #remove(session: ServedSession): void {
    this.#forgetting.get(session)?.();
    this.#forgetting.delete(session);
    this.#claimed.delete(session);
    if (this.byId.get(session.id) === session) this.byId.delete(session.id);
    this.#watchers.tell(session.id);
  }
}

function marksOf(parked: ParkedSession | undefined): ParkedMarks | undefined {
  if (parked === undefined) return undefined;
  const deadlines = new Map<string, string>();
  const { requests, madeAt, activeAt, owner, hasTurn, isElsewhere } = parked;
  // Those of another node are as they began: a person may have taken one away since, as the records say.
  if (isElsewhere === undefined)
    for (const { request_id, deadline } of requests)
      if (deadline !== undefined) deadlines.set(request_id, deadline);
  return { deadlines, madeAt, activeAt, owner, ...defined({ hasTurn }) };
}

/** True for one of another node in which nothing is open, as far as was seen. */
const isIdle = ({ isElsewhere, requests, hasTurn }: ParkedSession): boolean =>
  isElsewhere !== undefined && requests.length === 0 && hasTurn !== true;

/** True for the refusal of a session that another process has, by the disk or by a store. */
const isInUse = (error: unknown): boolean =>
  error instanceof LocalError
    ? error.code === "INVALID_STATE"
    : error instanceof WireError && isInUse(error.cause);

const ignore = () => {};

function commonOptions(options: SessionTableOptions): Omit<SessionOptions, "id"> {
  const { agent, agentName, resume, restartGraceMs, limits, clock, log } = options;
  return {
    agent,
    ...defined({ agentName, resume, restartGraceMs }),
    dialects: checkDialects(options.dialects ?? []),
    attendance: options.attendance ?? "attended",
    yolo: options.yolo ?? false,
    maxSteps: options.maxStepsPerTurn ?? 100,
    maxOpenRequests: options.maxOpenRequests ?? 64,
    subagentQuestions: options.subagentQuestions ?? false,
    workDir: resolve(options.workDir ?? "."),
    rawErrors: options.rawErrors ?? false,
    eventLog: { ...defaultEventLogLimits, ...options.eventLog },
    maxText: limits?.outboundLength ?? defaultLimits.outboundLength,
    clock,
    log,
  };
}
