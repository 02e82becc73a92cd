import type { Outcome, OutcomeReason } from "@askwire/protocol";
import type { SessionObservation } from "../measures/observation.js";
import type { ObservedRequest } from "../measures/observer.js";
import { Cells } from "../runtime/cells.js";
import { type Clock, systemClock } from "../runtime/clock.js";
import { Remembered } from "../runtime/remembered.js";
import { addresseesInWords, isAddressee, type PersonWithRoles } from "./addressing.js";
import type { ApprovalRequest } from "./approval-request.js";
import type { SessionSuspended } from "./errors.js";
import type { ExternalToolCall } from "./external-tool-call.js";
import type { HookCall } from "./hook-call.js";
import { outcomeNow, type RequestKeeper, type Settlement } from "./interaction.js";
import type { QuestionRequest } from "./question-request.js";
import type { Scope } from "./scope.js";

/** A request to a person, sent to every client that can show it. */
export type PersonRequest = QuestionRequest | ApprovalRequest;
/** A request to a program, sent to the one client that brought the tool or the hook. */
export type ClientRequest = ExternalToolCall | HookCall;
/** Every way of asking that goes through the core. */
export type AnyInteraction = PersonRequest | ClientRequest;

/**
 * The attendance of a person: `attended` gives up without a client, `hold` waits, `decline` sends nothing (P-ATT-1 to
 * P-ATT-3).
 */
export const attendances = ["attended", "hold", "decline"] as const;
/** A value of {@link attendances}. */
export type Attendance = (typeof attendances)[number];

/** A client as the core sees it. */
export interface Recipient {
  /** The id of the recipient: the same on each connection of one client (P-XAT-1), else the connection's own. */
  readonly id: string;
  /** True if the recipient can show the request whole, or in a permitted degraded form. */
  canShow(request: PersonRequest): boolean;
  /** True if the recipient shows deadlines, with the answer that counts afterwards. Default: false. */
  showsDeadlines?(): boolean;
  /** True if it reports that its person answers, whatever the deadline (P-XST-5). Default: false. */
  tellsPresence?(): boolean;
  /** The person behind it, with the roles of this moment (P-XTO-4). Default: nobody is known. */
  person?(): PersonWithRoles;
  /** Reports that a request is for others now, which may have been shown (P-XTO-2). Default: nothing is told. */
  takenOff?(request: PersonRequest): void;
  /** Gives it a new request. An answer may come back before this returns. */
  show(request: AnyInteraction): void;
  /** Gives it a request that was open when it came. Default: as a new one. */
  showOpen?(request: AnyInteraction): void;
  /** Reports that the request is settled. No further answer is awaited from this client. */
  settled(request: AnyInteraction, outcome: Outcome): void;
}

/** Why an answer did not count. */
export type AnswerRefusal =
  | { code: "already_resolved"; outcome: Outcome }
  | { code: "unknown_request" }
  | { code: "not_allowed" };

/** The rules by which a person is asked or not. The core reads them at each request. */
export interface AskingPolicy {
  readonly attendance: Attendance;
  /** True if sub-agents may ask questions. Default: false. */
  readonly subagentQuestions?: boolean;
  /** Settles a request to a person without asking anybody, if a rule covers it. Default: none does. */
  settle?(request: PersonRequest): Settlement<never> | undefined;
}

/** The number of open questions and approvals, which the core writes. */
export interface WaitingEntry {
  persons: number;
}

export interface CoreOptions {
  readonly policy: AskingPolicy;
  /** Open requests at once. Default: 64. */
  readonly maxOpen?: number;
  readonly clock?: Clock;
  /** Kept up to date. Default: the core's own. */
  readonly waiting?: WaitingEntry;
  /**
   * Keeps a request for the next process before it is sent; undefined for one that cannot be kept, and must not be
   * sent. Default: nothing is kept.
   */
  readonly keep?: ((request: AnyInteraction) => RequestKeeper | undefined) | undefined;
  /** Told of each request that nothing settled at once, before it is shown; it may be settled within the call. */
  readonly onOpened?: (request: AnyInteraction) => void;
  /**
   * Told that the deadline of an open question was taken away, or runs anew, or that others answer than before.
   * `answering` are the ids of the clients that report it; undefined where none has.
   */
  readonly onUpdated?: (request: PersonRequest, answering: readonly string[] | undefined) => void;
  /** Told that the addressees of an open request have grown by a step (P-XTO-6), before anybody is shown it. */
  readonly onEscalated?: (request: PersonRequest) => void;
  /** Told of each settlement before whoever waits for it continues; `sent` if clients may have it before them. */
  readonly onSettled?: (request: AnyInteraction, settlement: Settlement<unknown>, sent: boolean) => void;
  /** Tells observers of each opening and each end. Default: there are none. */
  readonly observation?: SessionObservation | undefined;
}

interface Entry {
  readonly request: AnyInteraction;
  /** The time of its opening, in milliseconds since 1970. */
  readonly since: number;
  readonly scope: Scope;
  /** The ids of the clients that show it. */
  shownTo: readonly string[];
  /** The clients that failed, and are not shown the request again. */
  failed: readonly string[];
  lastFailure?: { reason: OutcomeReason<"unavailable">; note?: string };
  /** The clients that have begun to answer, so that the deadline stands still. */
  touchedBy: readonly string[];
  /** Those of them that report it; undefined while none has. */
  answering: readonly string[] | undefined;
  /** Stops the wait for its next step; undefined without one (P-XTO-6). */
  cancelStep: (() => void) | undefined;
  /** While it is being sent round, a client's failure ends nothing: another may be sent it next. */
  sending: boolean;
  /** The request as observers were told of it; undefined without observers. */
  readonly observed: ObservedRequest | undefined;
}

/** The least number of settled requests that are remembered, to refuse late answers. */
const REMEMBERED = 256;

/**
 * The life of every request of one session: registered, sent, pending, settled (P-INT-1 to P-INT-9, P-EXT-4 to P-EXT-6,
 * P-XDL-1 to P-XDL-4). The core knows the recipients, and all that ends the wait. Transports, wire shapes and tools are
 * unknown here.
 */
export class InteractionCore {
  readonly #options: CoreOptions;
  readonly #clock: Clock;
  readonly #recipients = new Map<string, Recipient>();
  readonly #open = new Cells<Entry>();
  readonly #waiting: WaitingEntry;
  /** Outcomes of what was settled last. */
  readonly #settled = new Remembered<Outcome>(REMEMBERED);
  /** Clients that were lost and are waited for, by what ends that wait. Made with the first. */
  #graces: Map<() => void, { readonly id: string; readonly returns: boolean }> | undefined;

  constructor(options: CoreOptions) {
    this.#options = options;
    this.#waiting = options.waiting ?? { persons: 0 };
    this.#clock = options.clock ?? systemClock;
  }

  get size(): number {
    return this.#open.size;
  }

  /** True while a question or approval is open. */
  get waits(): boolean {
    return this.#waiting.persons > 0;
  }

  /** The number of open questions and approvals. */
  get persons(): number {
    return this.#waiting.persons;
  }

  /** The oldest open question or approval, and the time of its opening in milliseconds since 1970. */
  get oldest(): { readonly request: PersonRequest; readonly since: number } | undefined {
    return this.#waiting.persons === 0 ? undefined : (this.waiting().next().value ?? undefined);
  }

  /** The open questions and approvals, oldest first, each with the time of its opening as in {@link oldest}. */
  *waiting(): Generator<{ readonly request: PersonRequest; readonly since: number }> {
    for (const { request, since } of this.#entries()) if (!isForClient(request)) yield { request, since };
  }

  /** Open requests, oldest first. */
  pending(): AnyInteraction[] {
    return this.#entries().map((entry) => entry.request);
  }

  /** The open ones as they are now: who is told of one may settle others. */
  #entries(): Entry[] {
    return this.#open.values();
  }

  /**
   * Adds a client and shows it all open requests that it can show. Call it again for changed abilities. A client that
   * replaces another under its id takes over its requests.
   */
  attach(recipient: Recipient): void {
    const { id } = recipient;
    const before = this.#recipients.get(id);
    this.#recipients.set(id, recipient);
    for (const [cancel, lost] of this.#graces ?? []) {
      if (lost.id !== id) continue;
      this.#graces?.delete(cancel);
      cancel();
    }
    for (const entry of this.#entries()) {
      if (before !== undefined && before !== recipient) entry.shownTo = without(entry.shownTo, id);
      this.#offer(entry, recipient);
      if (!isFor(entry.request, recipient)) takeFrom(recipient, entry.request);
      // A client that can no longer show a request is no longer counted as answering it.
      if (!entry.shownTo.includes(id)) this.#takeOff(entry, id);
    }
    this.#giveUpUnshown();
  }

  /** The person of a client has other roles: it is shown what is for them now, and nothing else (P-XTO-2). */
  readdress(recipientId: string): void {
    const recipient = this.#recipients.get(recipientId);
    if (recipient === undefined) return;
    for (const entry of this.#entries()) {
      if (isFor(entry.request, recipient)) this.#offer(entry, recipient);
      else if (entry.shownTo.includes(recipientId)) {
        this.#takeOff(entry, recipientId);
        entry.lastFailure = unattended(entry.request);
        takeFrom(recipient, entry.request);
      }
    }
    this.#giveUpUnshown();
  }

  /**
   * Takes a client off everything. Requests that no client is showing then end as `client_lost` after the grace.
   *
   * @param returns set if the same client may come back under its id, and may be asked until then. Default: false.
   */
  detach(recipientId: string, graceMs: number, returns = false): void {
    if (!this.#recipients.delete(recipientId)) return;
    for (const entry of this.#entries()) {
      if (!entry.shownTo.includes(recipientId)) continue;
      this.#takeOff(entry, recipientId);
      entry.lastFailure = { reason: "client_lost" };
    }
    if (graceMs <= 0) return this.#giveUpUnshown();
    const cancel = this.#clock.after(graceMs, () => {
      this.#graces?.delete(cancel);
      this.#giveUpUnshown();
    });
    this.#graces ??= new Map();
    this.#graces.set(cancel, { id: recipientId, returns });
  }

  /** Registers a request, then sends it to every client that it goes to. Settled before: nothing happens. */
  open(request: AnyInteraction, scope: Scope): void {
    if (request.resolved || this.#open.has(request.id)) return;
    request.sent = true;
    const asked = isForClient(request) ? this.#owner(request) : this.#audience(request);
    if (!Array.isArray(asked)) {
      return this.#endUnsent(request, asked);
    }
    if (request.kind === "approval") request.source = scope.source;
    if (!this.#keep(request)) {
      const unkept = unavailable("not_kept", "system", "the disk of the session cannot be written");
      return this.#endUnsent(request, unkept);
    }
    // Whoever answers from within the first sending is asked already.
    const entry = this.#register(
      request,
      scope,
      this.#clock.now(),
      asked.map(({ id }) => id),
      true,
    );
    this.#startDeadline(entry);
    this.#awaitStep(entry);
    this.#options.onOpened?.(request);
    for (const recipient of asked) {
      if (request.resolved) break;
      if (entry.shownTo.includes(recipient.id)) recipient.show(request);
    }
    entry.sending = false;
    this.#giveUpUnshown(entry);
  }

  #endUnsent(request: AnyInteraction, settlement: Settlement<unknown>): void {
    request.settle(settlement as Settlement<never>);
    this.#finish(request, settlement);
  }

  /** Keeps a request before anybody is asked. Returns false if it cannot be kept, and must not be sent (P-DUR-6). */
  #keep(request: AnyInteraction): boolean {
    const { keep } = this.#options;
    if (keep === undefined) return true;
    request.keeper = keep(request);
    return request.keeper !== undefined;
  }

  /**
   * Puts a question or approval of an earlier process in, which clients are shown that come from now on (P-RES-3).
   *
   * @param since the time of its opening, in milliseconds since 1970.
   * @param leftMs the rest of its deadline, in milliseconds. Default: all of it.
   */
  restore(request: PersonRequest, scope: Scope, since: number, leftMs?: number): void {
    if (request.resolved || this.#open.has(request.id)) return;
    if (request.kind === "approval") request.source = scope.source;
    const entry = this.#register(request, scope, since, nobody, false);
    this.#startDeadline(entry, leftMs);
    this.#awaitStep(entry);
  }

  /** Remembers the outcome of a request of an earlier process, to refuse late answers. */
  remember(requestId: string, outcome: Outcome): void {
    this.#settled.set(requestId, outcome);
  }

  /** Waits so long for somebody to come as for a client that was lost. */
  awaitSomebody(ms: number, over: () => void): void {
    const cancel = this.#clock.after(ms, () => {
      this.#graces?.delete(cancel);
      over();
      this.#giveUpUnshown();
    });
    this.#graces ??= new Map();
    this.#graces.set(cancel, { id: "", returns: false });
  }

  /** Takes what is open in a scope out, and settles none of it: the next process resumes it. */
  suspendScope(scope: Scope, error: SessionSuspended): void {
    for (const { request, scope: inner, observed, cancelStep } of this.#entries()) {
      if (!scope.contains(inner)) continue;
      this.#open.delete(request.id);
      if (!isForClient(request)) this.#waiting.persons -= 1;
      if (request.kind === "question") request.deadline?.stop();
      cancelStep?.();
      if (observed !== undefined) this.#options.observation?.left(observed);
      request.suspend(error);
    }
  }

  /**
   * A client answered or declined: the first one settles. Returns why it did not count, if it did not.
   *
   * @param read makes the settlement of what the client said; called only if it counts. Undefined settles nothing.
   */
  answer(
    requestId: string,
    recipientId: string,
    read: () => Settlement<unknown> | undefined,
  ): AnswerRefusal | undefined {
    const found = this.find(requestId, recipientId);
    if ("code" in found) return found;
    const settlement = read();
    if (settlement !== undefined) found.settle(settlement as Settlement<never>);
    return undefined;
  }

  /**
   * The open request that a client may answer, or why it may not.
   *
   * @param recipientId the client that was sent it. Default: it need not have been.
   */
  find(requestId: string, recipientId?: string): AnyInteraction | AnswerRefusal {
    const entry = this.#open.get(requestId);
    if (entry === undefined) {
      const outcome = this.#settled.get(requestId);
      return outcome === undefined ? { code: "unknown_request" } : { code: "already_resolved", outcome };
    }
    const isSent = recipientId === undefined || entry.shownTo.includes(recipientId);
    return isSent ? entry.request : { code: "not_allowed" };
  }

  /** True for a request that is open, or was settled not long ago. */
  knows(requestId: string): boolean {
    return this.#open.has(requestId) || this.#settled.get(requestId) !== undefined;
  }

  /** The ids of the clients that answer and report it; undefined where none ever did. */
  answering(requestId: string): readonly string[] | undefined {
    return this.#open.get(requestId)?.answering;
  }

  /** A client has begun to answer: the deadline stands still until all such clients are gone (P-XDL-3, P-XDL-4). */
  touch(requestId: string, recipientId: string): AnswerRefusal | undefined {
    const found = this.find(requestId, recipientId);
    if ("code" in found) return found;
    if (isForClient(found)) return { code: "not_allowed" };
    const entry = this.#open.get(requestId) as Entry;
    const tells = this.#recipients.get(recipientId)?.tellsPresence?.() === true;
    const deadline = found.kind === "question" ? found.deadline : undefined;
    if (entry.touchedBy.includes(recipientId) || (deadline === undefined && !tells)) return undefined;
    entry.touchedBy = [...entry.touchedBy, recipientId];
    if (tells) entry.answering = [...(entry.answering ?? nobody), recipientId];
    found.touched();
    const ran = deadline?.wire !== undefined;
    deadline?.stop();
    if (ran || tells) this.#options.onUpdated?.(found, entry.answering);
    return undefined;
  }

  /** Takes a client off a request at which it failed. With no client left the request ends with that reason. */
  fail(requestId: string, recipientId: string, reason: OutcomeReason<"unavailable">, note?: string): void {
    const entry = this.#open.get(requestId);
    if (entry === undefined || !entry.shownTo.includes(recipientId)) return;
    this.#takeOff(entry, recipientId);
    entry.failed = [...entry.failed, recipientId];
    entry.lastFailure = note === undefined ? { reason } : { reason, note };
    this.#giveUpUnshown(entry);
  }

  /** Attendance has changed: requests that no client shows end if nobody is waited for. */
  reconsider(): void {
    this.#giveUpUnshown();
  }

  /** Settles everything that is open in a scope and below it, before this returns. */
  settleScope(scope: Scope, outcome: () => Outcome): void {
    for (const { request, scope: inner } of this.#entries()) {
      if (scope.contains(inner)) request.settle({ outcome: outcome() });
    }
  }

  /** Ends everything: what is open is settled, no timer is left. */
  close(outcome: () => Outcome): void {
    for (const { request } of this.#entries()) request.settle({ outcome: outcome() });
    for (const [cancel] of this.#graces ?? []) cancel();
    this.#graces = undefined;
    this.#recipients.clear();
  }

  #register(
    request: AnyInteraction,
    scope: Scope,
    since: number,
    shownTo: readonly string[],
    sending: boolean,
  ): Entry {
    // Within the call that asks, so that a trace finds the place of that call.
    const observed = this.#options.observation?.opened(request, since, !sending);
    const entry: Entry = {
      ...{ request, since, scope, shownTo, sending, observed },
      ...{ failed: nobody, touchedBy: nobody, answering: undefined, cancelStep: undefined },
    };
    const persons = isForClient(request) ? 0 : 1;
    this.#open.set(request.id, entry);
    this.#waiting.persons += persons;
    request.onSettled((settlement: Settlement<unknown>) => {
      this.#open.delete(request.id);
      this.#waiting.persons -= persons;
      this.#finish(request, settlement, entry);
    });
    return entry;
  }

  #takeOff(entry: Entry, recipientId: string): void {
    entry.shownTo = without(entry.shownTo, recipientId);
    const { request, touchedBy } = entry;
    if (!touchedBy.includes(recipientId)) return;
    entry.touchedBy = without(touchedBy, recipientId);
    const told = entry.answering?.includes(recipientId) === true;
    if (told) entry.answering = without(entry.answering ?? nobody, recipientId);
    const runs =
      entry.touchedBy.length === 0 && request.kind === "question" && request.deadline !== undefined;
    if (runs) this.#startDeadline(entry);
    if ((runs || told) && !isForClient(request)) this.#options.onUpdated?.(request, entry.answering);
  }

  #startDeadline(entry: Entry, leftMs?: number): void {
    const { request } = entry;
    if (request.kind !== "question" || request.resolved) return;
    request.deadline?.start(this.#clock, () => this.#expire(entry, request), leftMs);
  }

  /** Waits for the next step of a request, and makes those that are due (P-XTO-6). */
  #awaitStep(entry: Entry): void {
    const { request, since } = entry;
    entry.cancelStep = undefined;
    if (isForClient(request) || request.addressing === undefined) return;
    const { addressing } = request;
    addressing.openedAt ??= since;
    for (let { next, nextAt } = addressing; next !== undefined; { next, nextAt } = addressing) {
      const ms = (nextAt ?? 0) - this.#clock.now();
      if (ms > 0) {
        // A clock that was set back makes nobody wait for longer than the whole time.
        entry.cancelStep = this.#clock.after(Math.min(ms, next.after_ms), () => this.#step(entry, request));
        return;
      }
      this.#escalate(entry, request);
    }
  }

  #step(entry: Entry, request: PersonRequest): void {
    if (request.resolved) return;
    this.#escalate(entry, request);
    this.#awaitStep(entry);
  }

  #escalate(entry: Entry, request: PersonRequest): void {
    request.addressing?.escalate();
    this.#options.onEscalated?.(request);
    for (const recipient of [...this.#recipients.values()]) this.#offer(entry, recipient);
  }

  /** The shown defaults count only where somebody was shown that they would (P-XDL-2). */
  #expire({ shownTo }: Entry, request: QuestionRequest): void {
    const shown = shownTo.some((id) => this.#recipients.get(id)?.showsDeadlines?.() === true);
    const answer = shown && request.deadline?.onExpiry === "default" ? request.defaultAnswer : undefined;
    const outcome = outcomeNow("expired", { reason: "deadline", by: "timer" });
    request.settle(answer === undefined ? { outcome } : { outcome, answer });
  }

  /** The clients that a question or approval goes to, or its settlement without asking anybody. */
  #audience(request: PersonRequest): Recipient[] | Settlement<never> {
    const { policy } = this.#options;
    const ofSubagent = request.kind === "question" && request.origin !== undefined;
    if (ofSubagent && policy.subagentQuestions !== true) return unavailable("subagent", "policy");
    const settled = policy.settle?.(request);
    if (settled !== undefined) return settled;
    const { attendance } = policy;
    if (attendance === "decline") return unavailable("unattended", "policy");
    if (this.#isFull) return unavailable("limit");
    const others = [...this.#recipients.values()].filter(
      (recipient) => recipient.id !== unaskedBy(request) && isFor(request, recipient),
    );
    const audience = others.filter((recipient) => recipient.canShow(request));
    if (audience.length === 0 && attendance !== "hold" && !this.isAwaiting) {
      const { reason, note } = others.length === 0 ? unattended(request) : unsupported;
      return unavailable(reason, "system", note);
    }
    return this.#makeRoom(request) ?? audience;
  }

  /** Makes room for a question while another of its dialect is open (P-DIA-3). */
  #makeRoom(request: PersonRequest): Settlement<never> | undefined {
    const dialect = request.kind === "question" ? request.native?.dialect : undefined;
    if (dialect === undefined || dialect.pending === "queue") return undefined;
    for (const { request: other } of this.#entries()) {
      if (other.kind !== "question" || other.native?.dialect.name !== dialect.name) continue;
      if (dialect.pending === "reject") return unavailable("limit", "policy");
      other.settle({ outcome: outcomeNow("withdrawn", { reason: "superseded", by: "policy" }) });
    }
    return undefined;
  }

  /** The client that brought the tool or the hook, if it is here: whether anybody else is does not matter. */
  #owner({ recipientId }: ClientRequest): Recipient[] | Settlement<never> {
    const owner = this.#recipients.get(recipientId);
    const isAwaited = () => this.#lost().find(({ id }) => id === recipientId)?.returns === true;
    if (owner === undefined && !isAwaited()) return unavailable("client_lost");
    if (this.#isFull) return unavailable("limit");
    return owner === undefined ? [] : [owner];
  }

  /** True while somebody who may come back is waited for. */
  get isAwaiting(): boolean {
    return this.#graces !== undefined && this.#graces.size > 0;
  }

  /** The clients that are waited for. */
  #lost(): readonly { readonly id: string; readonly returns: boolean }[] {
    return [...(this.#graces?.values() ?? [])];
  }

  get #isFull(): boolean {
    return this.#open.size >= (this.#options.maxOpen ?? 64);
  }

  #offer(entry: Entry, recipient: Recipient): void {
    const { request, shownTo, failed } = entry;
    if (request.resolved || shownTo.includes(recipient.id) || failed.includes(recipient.id)) return;
    if (isForClient(request) ? request.recipientId !== recipient.id : !recipient.canShow(request)) return;
    if (unaskedBy(request) === recipient.id || !isFor(request, recipient)) return;
    entry.shownTo = [...shownTo, recipient.id];
    if (recipient.showOpen === undefined) recipient.show(request);
    else recipient.showOpen(request);
  }

  /** Ends requests that no client shows, unless somebody may still come. */
  #giveUpUnshown(only?: Entry): void {
    for (const entry of only === undefined ? this.#entries() : [only]) {
      if (entry.sending || entry.shownTo.length > 0 || this.#mayBeShown(entry)) continue;
      const { reason, note } = entry.lastFailure ?? { reason: "client_lost" as const };
      entry.request.settle(unavailable(reason, "system", note));
    }
  }

  #mayBeShown({ request, failed }: Entry): boolean {
    if (!isForClient(request)) return this.#options.policy.attendance === "hold" || this.isAwaiting;
    const owner = request.recipientId;
    return !failed.includes(owner) && this.#lost().some(({ id }) => id === owner);
  }

  #finish(request: AnyInteraction, settlement: Settlement<unknown>, entry?: Entry): void {
    if (request.kind === "question") request.deadline?.stop();
    entry?.cancelStep?.();
    this.#settled.set(request.id, settlement.outcome);
    for (const id of entry?.shownTo ?? []) this.#recipients.get(id)?.settled(request, settlement.outcome);
    this.#options.observation?.settled(request, settlement.outcome, entry?.observed);
    this.#options.onSettled?.(request, settlement, entry !== undefined);
  }
}

/** True for a request to a program, which answers by its reply alone. */
export function isForClient(request: AnyInteraction): request is ClientRequest {
  return request.kind === "tool_call" || request.kind === "hook";
}

/** True for a request that the person of a client may answer (P-XTO-1). */
const isFor = (request: AnyInteraction, recipient: Recipient): boolean =>
  isForClient(request) ||
  request.addressing === undefined ||
  isAddressee(request.addressing.to, recipient.person?.());

const takeFrom = (recipient: Recipient, request: AnyInteraction): void => {
  if (!isForClient(request)) recipient.takenOff?.(request);
};

/** The reason of a request that nobody is there for, with those whom it was for. */
function unattended(request: AnyInteraction): { reason: "unattended"; note?: string } {
  const to = isForClient(request) ? undefined : request.addressing?.to;
  if (to === undefined) return { reason: "unattended" };
  return { reason: "unattended", note: `it was for ${addresseesInWords(to)}, and nobody of them is here` };
}

const unsupported: { readonly reason: "unsupported"; readonly note?: string } = { reason: "unsupported" };

/** The client that a request is not shown to, since it asks. */
const unaskedBy = (request: AnyInteraction): string | undefined =>
  isForClient(request) ? undefined : request.program?.unasked;

const nobody: readonly string[] = [];
const without = (ids: readonly string[], id: string) => ids.filter((other) => other !== id);

function unavailable(
  reason: OutcomeReason<"unavailable">,
  by: "system" | "policy" = "system",
  note?: string,
): Settlement<never> {
  return { outcome: outcomeNow("unavailable", note === undefined ? { reason, by } : { reason, by, note }) };
}
