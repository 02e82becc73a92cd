import type { Outcome } from "@askwire/protocol";
import type { CallProgress } from "../agent/interrupted-calls.js";
import type { Dialect, ToolDialect } from "../dialects/dialect.js";
import type { Journal } from "../journal/journal.js";
import { questionMessage } from "../journal/record-interaction.js";
import type { LeftRequest, Unfinished } from "../journal/unfinished.js";
import type { ApprovalAnswer, ApprovalRequest } from "../requests/approval-request.js";
import {
  type AnyInteraction,
  type InteractionCore,
  isForClient,
  type PersonRequest,
} from "../requests/core.js";
import { type CallPlace, outcomeNow, type Settlement } from "../requests/interaction.js";
import { contentOf } from "../requests/same-request.js";
import type { Scope } from "../requests/scope.js";
import { requestKeeper } from "./keeper.js";
import { restOfDeadline, restoredRequest, restoredSettlement } from "./restored-request.js";

export interface LeftRequestsOptions {
  readonly turn: Unfinished;
  readonly dialects: readonly (Dialect | ToolDialect)[];
  /** True for a call whose result was told: it had its answers. */
  readonly isDone: (place: CallPlace) => boolean;
  readonly journal: Journal;
}

interface Entry {
  readonly left: LeftRequest;
  /** The request as it is put before clients; settled at once where it was settled. */
  readonly request: PersonRequest;
  /** True once the outcome, or the wait for it, belongs to somebody in this process. */
  taken: boolean;
}

/** The requests of a turn that earlier processes left: open ones, and those whose outcome may be asked for again. */
export class LeftRequests {
  readonly #entries: readonly Entry[];
  readonly #passed: readonly CallPlace[];
  readonly #isDone: LeftRequestsOptions["isDone"];
  readonly #journal: LeftRequestsOptions["journal"];

  /** @throws TypeError for a record that does not fit. */
  constructor({ turn, dialects, isDone, journal }: LeftRequestsOptions) {
    this.#isDone = isDone;
    this.#journal = journal;
    this.#passed = turn.passed;
    this.#entries = turn.requests.map((left) => ({
      left,
      request: restoredRequest(left.opened, dialects, left.escalated),
      taken: false,
    }));
    for (const { left, request } of this.#entries) {
      if (left.settled !== undefined) request.settle(restoredSettlement(left.settled));
      request.keeper = requestKeeper(journal, request);
    }
  }

  /** The approvals that persons decided, oldest first: those for the session hold on (P-RES-14). */
  get approvals(): readonly (readonly [ApprovalRequest, ApprovalAnswer])[] {
    return this.#entries.flatMap(({ request }) => {
      if (request.kind !== "approval" || request.answer === undefined) return [];
      return request.outcome?.by === "human" ? [[request, request.answer] as const] : [];
    });
  }

  /** True while a request is open. */
  get isOpen(): boolean {
    return this.#entries.some(({ request }) => !request.resolved);
  }

  /** Calls the listener when one of those that are open now is settled. */
  onSettled(listener: (outcome: Outcome) => void): void {
    for (const { request } of this.#entries) {
      if (!request.resolved) request.onSettled(({ outcome }: Settlement<unknown>) => listener(outcome));
    }
  }

  /** True if an answer of a person waits for the turn to go on. */
  get isAnswered(): boolean {
    return this.#entries.some((entry) => this.#waits(entry));
  }

  /** True for an answer that came after its call was cut off, or whose call has no result. */
  #waits({ left, request: { outcome, place } }: Entry): boolean {
    if (outcome?.status !== "answered") return false;
    return !left.claimed || (isCallPlace(place) && !this.#isDone(place));
  }

  /** Puts the open requests before the clients that come from now on. */
  restore(core: Pick<InteractionCore, "restore">, scope: Scope, now: number): void {
    for (const { left, request } of this.#entries) {
      if (request.kind !== "approval" || left.opened.origin !== undefined) continue;
      if (request.source !== undefined) scope.source = request.source;
    }
    for (const { left, request } of this.#entries) {
      if (request.resolved) continue;
      if (!left.isWhole && request.kind === "question") this.#journal.record(questionMessage(request));
      core.restore(request, scope, left.since, restOfDeadline(left.opened, left.touched, now));
    }
  }

  /**
   * Lets a request of this process go on as the one that was left by the same call with the same key and content: it
   * has that id, and its outcome (P-RES-6). Returns false for a new one, which takes the place of another that its call left open.
   */
  join(request: AnyInteraction): boolean {
    const { place } = request;
    if (isForClient(request) || request.origin !== undefined || place === undefined) return false;
    const own = this.#entries.filter(
      ({ taken, request: left }) =>
        !taken &&
        left.kind === request.kind &&
        left.place?.callId === place.callId &&
        left.place?.nth === place.nth &&
        left.key === request.key,
    );
    const content = own.length === 0 ? "" : contentOf(request);
    const same = own.find((entry) => contentOf(entry.request) === content && fits(entry, request));
    if (same !== undefined) {
      this.#take(same, request);
      return true;
    }
    const other = own.find((entry) => !entry.request.resolved);
    if (other !== undefined && (place.callId ?? request.key) !== undefined) giveUp(other, "superseded");
    return false;
  }

  #take(entry: Entry, request: PersonRequest): void {
    const { left } = entry;
    entry.taken = true;
    if (!entry.request.resolved) this.#journal.rejoined(entry.request.id);
    else if (!left.claimed) this.#journal.claimed({ request_id: entry.request.id });
    request.standFor(entry.request as never);
  }

  /** True if an answer, or a policy, let a call go on before its process ended. */
  isPast(place: CallPlace): boolean {
    return (
      this.#passed.some((other) => isSame(other, place)) ||
      this.#of(place).some(({ left, request }) => left.claimed && letsGoOn(request))
    );
  }

  /** True for a call with a question in the background, which outlives the call. */
  asksInBackground(place: CallPlace): boolean {
    return this.#of(place).some(({ request }) => request.kind === "question" && request.background);
  }

  /** Gives up the requests of a call that does not run again. Returns how far the call had come. */
  giveUp(place: CallPlace): CallProgress {
    const own = this.#of(place);
    const approved = this.isPast(place) && own.some(({ request }) => request.kind === "approval");
    const waiting = own.some(({ request }) => request.kind === "approval" && !request.resolved);
    for (const entry of own) if (!entry.request.resolved) giveUp(entry, "agent");
    return approved ? "approved" : waiting ? "waiting" : "started";
  }

  /** Takes the answers that nothing has asked for again (P-RES-8). */
  takeUnasked(): string[] {
    return this.#entries.flatMap((entry) => {
      const { left, request } = entry;
      if (entry.taken || !this.#waits(entry)) return [];
      if (left.claimed && request.kind === "approval") return [];
      entry.taken = true;
      this.#journal.claimed({ request_id: request.id });
      return [toldAnswer(request)];
    });
  }

  #of(place: CallPlace): Entry[] {
    return this.#entries.filter(
      ({ taken, request }) => !taken && isCallPlace(request.place) && isSame(request.place, place),
    );
  }
}

const isCallPlace = (place: Partial<CallPlace> | undefined): place is CallPlace =>
  place?.callId !== undefined && place.nth !== undefined;

const isSame = (one: CallPlace, other: CallPlace) => one.callId === other.callId && one.nth === other.nth;

/** A text that was changed before the agent was there to check it may not fit. */
function fits({ request: restored }: Entry, request: PersonRequest): boolean {
  if (request.kind !== "approval" || restored.kind !== "approval") return true;
  const { edited } = restored.answer ?? {};
  return edited === undefined || request.edit?.check?.(edited) === undefined;
}

/** True for an outcome after which a call may have had its effect: any answer but a rejection. */
function letsGoOn(request: PersonRequest): boolean {
  if (request.outcome?.status !== "answered") return false;
  return request.kind === "question" || request.answer?.response !== "reject";
}

function giveUp(entry: Entry, reason: "agent" | "superseded"): void {
  entry.taken = true;
  entry.request.settle({ outcome: outcomeNow("withdrawn", { reason, by: "system" }) });
}

/** An answer in words, for a model whose call is gone. */
function toldAnswer(request: PersonRequest): string {
  if (request.kind === "approval") {
    const { response, feedback, option } = request.answer ?? { response: "reject" };
    const word = option === undefined ? response : `${response} (${request.option(option).label})`;
    const said = feedback === undefined || feedback === "" ? "" : `: ${feedback}`;
    return `Before a restart the user was asked to approve this: ${request.description}\nThe answer was: ${word}${said}\nIt covers nothing that you do now: ask again before you do it.`;
  }
  const answers = request.answer?.answers;
  const lines = request.questions.map(
    ({ question }) => `Question: ${question}\nAnswer: ${answers?.[question] ?? "(none)"}`,
  );
  return [
    "Before a restart the user was asked something, and has answered since:",
    ...lines,
    noteOf(request.outcome),
  ]
    .filter((line) => line !== "")
    .join("\n");
}

const noteOf = (outcome: Outcome | undefined) =>
  outcome?.note === undefined || outcome.note.trim() === "" ? "" : `Note: ${outcome.note}`;
