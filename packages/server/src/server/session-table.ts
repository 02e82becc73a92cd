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
import { defaultEventLogLimits } from "../session/event-log.js";
import { makeSession } from "../session/make-session.js";
import type { ServedSession } from "../session/served-session.js";
import type { KeptSession, SessionOptions } from "../session/session-options.js";
import type { KeptFinder } from "./kept-finder.js";
import type { NewSession, ServerOptions } from "./server-options.js";

export interface SessionTableOptions extends ServerOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly kept: KeptFinder;
  /** Default: nobody observes. */
  readonly observation: Observation | undefined;
  /** True for a session that a connection is in. */
  readonly isConnected: (session: ServedSession) => boolean;
}

/** The stay of a session without any turn, in milliseconds: short visits must not keep others out (P-SES-3). */
const UNUSED_MS = 30_000;

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
  /** Sessions that a client has closed: those are over, and nobody is offered to resume them. */
  readonly #closedByClients: Remembered<true>;
  readonly #watchers: Watchers<[id: string]>;
  /** Those of changes that lists of sessions do not show. */
  readonly #answeringWatchers: Watchers<[id: string]>;
  #isClosed = false;

  /** @throws TypeError if a dialect is invalid, or two have a tool of the same name. */
  constructor(options: SessionTableOptions) {
    const { maxSessions = 256, log } = options;
    this.#options = options;
    this.#common = commonOptions(options);
    this.#maxSessions = maxSessions;
    this.#closedByClients = new Remembered(maxSessions);
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

  find(id: string): ServedSession | undefined {
    return this.byId.get(id);
  }

  isKept(id: string): boolean | Promise<boolean> {
    return this.#isAway(id) && this.#options.kept.isKept(id);
  }

  /** True for a row of a kept session that clients may open. */
  canOpen(id: string): boolean {
    return this.#isAway(id) && this.#options.kept.canOpen(id);
  }

  /** True for one that is not in memory, and that no client has closed. */
  #isAway(id: string): boolean {
    return !this.byId.has(id) && this.#closedByClients.get(id) === undefined;
  }

  open(id: string): ComingSession {
    return this.#opening.get(id) ?? this.createUnused({ id });
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
    const workDir = named === undefined ? undefined : resolve(named);
    this.#refuse(id);
    const kept = this.#options.kept.open?.(id, workDir);
    if (!(kept instanceof Promise)) return this.#make({ id, stay, workDir }, kept);
    const opening = this.#openLater({ id, stay, workDir }, kept);
    this.#opening.set(id, opening);
    // Whoever asked for it hears of a failure, unless they are gone.
    return mayBeLeft(opening);
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
    } finally {
      this.#opening.delete(part.id);
    }
  }

  #make(part: MadeSession, kept: KeptSession | undefined): ServedSession {
    const observed = this.#observed(part.id, kept);
    observed?.begun();
    try {
      return this.#made(part, kept, observed);
    } catch (error) {
      observed?.closed();
      throw error;
    }
  }

  #observed(id: string, kept: KeptSession | undefined): SessionObservation | undefined {
    const { observation, clock } = this.#options;
    if (observation === undefined) return undefined;
    const state = () => this.byId.get(id)?.state ?? "idle";
    return new SessionObservation(observation, clock, { id, isKept: kept !== undefined, state });
  }

  #made(
    { id, stay, workDir }: MadeSession,
    kept: KeptSession | undefined,
    observation: SessionObservation | undefined,
  ): ServedSession {
    // The spread is not the first member: an object that begins with one takes 500 bytes more.
    const session = makeSession({
      id,
      elsewhere: (requestId) => [...this.byId.values()].some((other) => other.core.knows(requestId)),
      onIdle: () => {
        if (!stay) this.#forgetIfIdle(session);
      },
      onChanged: () => this.#watchers.tell(id),
      onAnswering: () => this.#answeringWatchers.tell(id),
      onClosed: () => {
        this.#remove(session);
        observation?.closed();
      },
      ...this.#common,
      ...defined({ workDir, kept, observation }),
    });
    this.byId.set(id, session);
    this.#watchers.tell(id);
    return session;
  }

  /** Closes a session that is over for everybody. */
  closeByClient(session: ServedSession): void {
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

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const cancel of this.#forgetting.values()) cancel();
    this.#forgetting.clear();
    const openings = [...this.#opening.values()].map((opening) => opening.catch(() => {}));
    await Promise.all([...[...this.byId.values()].map((session) => session.leave("shutdown")), ...openings]);
  }

  #refuse(id: string): void {
    if (this.isFull) {
      const data = { limit: "maxSessions" };
      throw new WireError("Overloaded", `more than ${this.#maxSessions} sessions`, { data });
    }
    if (this.byId.has(id) || this.#opening.has(id))
      throw new WireError("InvalidState", `session ${id} is open already`);
  }

  /** A session that nobody has used for a while leaves memory. */
  #forgetIfIdle(session: ServedSession): void {
    if (this.#isClosed) return;
    const { clock, sessionIdleMs = 600_000, isConnected } = this.#options;
    const since = session.activity;
    this.#forgetting.get(session)?.();
    const ms = session.used ? sessionIdleMs : Math.min(sessionIdleMs, UNUSED_MS);
    const cancel = clock.after(ms, () => {
      this.#forgetting.delete(session);
      const unused = session.idle && !isConnected(session);
      if (unused && session.activity === since) void session.close();
    });
    this.#forgetting.set(session, cancel);
  }

  #remove(session: ServedSession): void {
    this.#forgetting.get(session)?.();
    this.#forgetting.delete(session);
    this.byId.delete(session.id);
    this.#watchers.tell(session.id);
  }
}

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
