import type {
  AnswerIssue,
  AnswerParams,
  ExtendedApprovalRequest,
  ExtendedQuestionRequest,
  HeardDeadline,
  HeardOutcome,
  ReleaseReason,
} from "@askwire/protocol";
import { errorText, isThenable, moreThan, Room, randomId, unitsOf } from "@askwire/protocol/internal";
import type { AnswerWords, DeliveryState } from "../contract/delivery.js";
import {
  answerToApproval,
  answerToQuestion,
  type ClientHandlers,
  NotShown,
  type RelayedAnswer,
  type RequestContext,
  viewQuestion,
} from "../contract/handlers.js";
import { askedBy } from "../contract/request-key.js";
import { RequestSettled } from "../contract/settled.js";
import type { Timing } from "../runtime/timing.js";
import { AcceptedAnswers } from "./accepted-answers.js";
import type { AnswerResult, SentAnswers } from "./sent-answers.js";

/** Requests that the person may have at once, and the UTF-16 units of all. */
const MOST_OPEN = { count: 10_000, units: 64 * 1_048_576 };
/** The refusals of an answer before its handler counts as failed, since some handlers answer the same every time. */
const MOST_REFUSED = 16;
/** The wait before a handler is called after its second refusal, which doubles with each one, and the longest. */
const REFUSED_MS = { first: 100, most: 5_000 };

/** A question or approval as it came. */
export type RequestToShow =
  | { readonly type: "QuestionRequest"; readonly payload: ExtendedQuestionRequest }
  | { readonly type: "ApprovalRequest"; readonly payload: ExtendedApprovalRequest };

/** The services of the session for {@link ShownRequests}. */
export interface ShownRequestsOptions {
  readonly handlers: ClientHandlers;
  readonly answers: SentAnswers;
  readonly report: (problem: string) => void;
  readonly timing: Timing;
  /** True if single questions may be skipped on this connection. */
  readonly skip: () => boolean;
  /** True if the server is told that a person has begun, whatever the deadline (P-XST-5). */
  readonly presence: () => boolean;
  /** Tells the server that a person has a request, if there is a connection. */
  readonly received: (requestId: string) => void;
  /** Tells the server that the person has begun, if there is a connection. */
  readonly touch: (requestId: string) => void;
  /** Tells the server that this client does not show a request; `done` is called once the server has replied. */
  readonly release: (requestId: string, reason: ReleaseReason, message: string, done: () => void) => void;
  /** Tells the user that a deadline differs from the one shown. */
  readonly updated: (requestId: string, deadline: HeardDeadline | null) => void;
}

/**
 * The questions and approvals that the person has, over all connections: each is put to its handler once,
 * and answered by a request of its own. A receipt says that the answer comes later (P-XAN-1).
 */
export class ShownRequests {
  readonly #options: ShownRequestsOptions;
  /** By the request's id, which a server says: at most {@link MOST_OPEN}. */
  readonly #open = new Map<string, ShownRequest>();
  #room = new Room(MOST_OPEN);
  /** The releases that the server has not replied to, by the request's id: at most {@link MOST_OPEN}. */
  readonly #releases = new Map<string, { readonly reason: ReleaseReason; readonly message: string }>();
  readonly #accepted = new AcceptedAnswers();
  /** The beginning of each `answer_id`: a client of the same `client_id` that comes later has another one. */
  readonly #name = randomId().slice(0, 8);
  /** The number of answers so far. */
  #given = 0;

  constructor(options: ShownRequestsOptions) {
    this.#options = options;
  }

  /** Puts a request to the person, unless it is there already. */
  show(request: RequestToShow): void {
    const { id } = request.payload;
    const known = this.#open.get(id);
    if (known !== undefined && isSame(known.request, request)) return this.#shownAgain(known, request);
    if (known !== undefined) this.#askedOtherwise(known);
    const accepted = this.#accepted.find(id, request.payload);
    if (accepted !== undefined) return this.#again(accepted);
    const put = this.#put(request);
    if (put === undefined) return this.release(id, "unsupported", `this client shows no ${request.type}`);
    const units = unitsOf(request.payload);
    if (!this.#room.take(units)) {
      return this.release(id, "limit", `${moreThan(MOST_OPEN, "requests")} are open`);
    }
    const shown = new ShownRequest(request, units, put, this.#options);
    this.#open.set(id, shown);
    this.#ask(shown, []);
  }

  /** Tells the server that nobody here has a request, on each connection until the server has replied (P-XAN-9). */
  release(id: string, reason: ReleaseReason, message: string): void {
    this.#releases.set(id, { reason, message });
    const [oldest] = this.#releases.keys();
    if (this.#releases.size > MOST_OPEN.count && oldest !== undefined) this.#releases.delete(oldest);
    this.#options.release(id, reason, message, () => this.#releases.delete(id));
  }

  /** All that was missed has come: the server is told again what it may not know, or forgets with a connection (P-XCL-6). */
  resume(): void {
    for (const [id, { reason, message }] of this.#releases) this.release(id, reason, message);
    for (const shown of this.#open.values()) shown.touchAgain();
  }

  /** Ends a settled request. The reply to its own answer ends a request that this client has answered. */
  settled(requestId: string, outcome?: HeardOutcome): void {
    const shown = this.#open.get(requestId);
    this.#accepted.forget(requestId);
    this.#options.answers.release(requestId);
    if (shown === undefined) return;
    shown.isSettled = true;
    if (!shown.isAnswered) this.#take(shown, new RequestSettled("it was settled", outcome));
  }

  updated(requestId: string, deadline: HeardDeadline | null): void {
    const shown = this.#open.get(requestId);
    if (shown === undefined) return;
    shown.deadline = deadline ?? undefined;
    if (deadline !== null) shown.isTouched = false;
  }

  /** Takes away requests that are no longer open. The reply to its answer ends an answered request. */
  keep(pending: ReadonlySet<string>): void {
    this.#takeAll((id) => !pending.has(id), "it was settled while the connection was lost");
    for (const id of this.#releases.keys()) if (!pending.has(id)) this.#releases.delete(id);
  }

  /**
   * Too much was missed: takes away whatever is no longer open. The rest stays on the person's screen with what they
   * have begun, until it comes again (P-XCL-6).
   */
  reset(pending: ReadonlySet<string>, why: string): void {
    this.#takeAll((id) => !pending.has(id), why);
    for (const shown of this.#open.values()) shown.isAwaited = pending.has(shown.id);
    this.#releases.clear();
  }

  /** True while the person has a request. */
  get isOpen(): boolean {
    return this.#open.size > 0;
  }

  /** The ids of requests that were open before a reset and have not come again. */
  awaited(): ReadonlySet<string> {
    return new Set([...this.#open.values()].flatMap(({ id, isAwaited }) => (isAwaited ? [id] : [])));
  }

  /** The session ends: answers no longer count. */
  close(): void {
    this.#accepted.clear();
    for (const shown of this.#open.values()) shown.abort(new RequestSettled("the connection closed"));
    this.#open.clear();
    this.#room = new Room(MOST_OPEN);
    this.#releases.clear();
  }

  #takeAll(which: (id: string) => boolean, why: string): void {
    for (const [id, shown] of [...this.#open]) {
      if (!shown.isAnswered && which(id)) this.#take(shown, new RequestSettled(why));
    }
  }

  #take(shown: ShownRequest, why: RequestSettled): void {
    this.#remove(shown);
    shown.abort(why);
  }

  #remove(shown: ShownRequest): void {
    if (this.#open.delete(shown.id)) this.#room.leave(shown.units);
  }

  /** Takes a request away that came again and asks something else, with what was said to it. */
  #askedOtherwise(shown: ShownRequest): void {
    const why = "it was asked anew, and otherwise";
    this.#take(shown, new RequestSettled(why));
    this.#options.answers.withdraw(shown.id, why);
  }

  #shownAgain(shown: ShownRequest, request: RequestToShow): void {
    this.#options.answers.release(shown.id);
    const deadline = deadlineOf(request.payload);
    const isOther = shown.isAwaited && deadline?.at !== shown.deadline?.at;
    shown.deadline = deadline;
    if (shown.isAwaited) {
      shown.isAwaited = false;
      if (shown.isReceived) this.#options.received(shown.id);
    }
    if (isOther) this.#options.updated(shown.id, deadline ?? null);
    shown.touchAgain();
  }

  /** The handler of a request with the words of its reply; undefined where there is no handler. */
  #put(request: RequestToShow): Put | undefined {
    const { question, approval } = this.#options.handlers;
    if (request.type === "QuestionRequest") {
      if (question === undefined) return undefined;
      const view = viewQuestion(request.payload);
      return putTo(
        (context) => question(view, context),
        (reply) => answerToQuestion(view, reply, this.#options.skip()),
      );
    }
    if (approval === undefined) return undefined;
    const view = request.payload;
    return putTo(
      (context) => approval(view, context),
      (reply) => answerToApproval(view, reply),
    );
  }

  #ask(shown: ShownRequest, issues: readonly AnswerIssue[]): void {
    shown.isAnswered = false;
    let words: ReturnType<Put>;
    try {
      words = shown.put(shown.context(issues));
    } catch (error) {
      return this.#failed(shown, error);
    }
    if (!isThenable(words)) return this.#answer(shown, words);
    if (!shown.isReceived) this.#options.received(shown.id);
    shown.isReceived = true;
    words.then(
      (words) => this.#answer(shown, words),
      (error) => this.#failed(shown, error),
    );
  }

  /** The server asks once more for what it has accepted: under the same id the answer changes nothing. */
  #again(accepted: AnswerParams): void {
    try {
      this.#options.answers.give(accepted, () => {});
    } catch (error) {
      this.#options.report(`the answer to ${accepted.request_id} is not sent again: ${errorText(error)}`);
    }
  }

  #answer(shown: ShownRequest, words: AnswerWords): void {
    if (this.#open.get(shown.id) !== shown) return;
    shown.isAnswered = true;
    this.#given += 1;
    const params = { request_id: shown.id, answer_id: `${this.#name}-${this.#given}`, ...words };
    try {
      const done = (result: AnswerResult) => {
        if (result.is === "accepted" && !shown.isSettled) this.#accepted.keep(shown.request.payload, params);
        this.#replied(shown, result);
      };
      this.#options.answers.give(params, done, (state) => shown.tell(state));
    } catch (error) {
      this.#failed(shown, error);
    }
  }

  #replied(shown: ShownRequest, result: AnswerResult): void {
    if (this.#open.get(shown.id) !== shown) return;
    switch (result.is) {
      case "accepted":
        return this.#remove(shown);
      case "late":
        this.#options.report(`the answer to ${shown.id} did not count: ${result.problem}`);
        return this.#take(shown, new RequestSettled("it was settled before", result.outcome));
      case "failed":
        return this.#failed(shown, new Error(result.problem));
      case "refused":
        return this.#refused(shown, result.issues);
    }
  }

  /** Asks the handler again: a person at once, and a program that repeats its mistake less and less often (P-XCL-11). */
  #refused(shown: ShownRequest, issues: readonly AnswerIssue[]): void {
    shown.refusals += 1;
    const { id, refusals } = shown;
    if (refusals > MOST_REFUSED) return this.#failed(shown, new Error(`refused ${refusals} times`));
    if (refusals === 1) return this.#ask(shown, issues);
    this.#options.report(`the answer to ${id} was refused ${refusals} times: ${issues[0]?.message}`);
    const wait = Math.min(REFUSED_MS.most, REFUSED_MS.first * 2 ** (refusals - 2));
    this.#options.timing.after(wait, () => this.#open.get(id) === shown && this.#ask(shown, issues), false);
  }

  /** No person has the request now (P-XAN-9). */
  #failed(shown: ShownRequest, error: unknown): void {
    if (this.#open.get(shown.id) !== shown) return;
    this.#remove(shown);
    this.#options.report(`${shown.type} ${shown.id} is not answered by this client: ${errorText(error)}`);
    const reason = error instanceof NotShown ? error.reason : "protocol_error";
    this.release(shown.id, reason, errorText(error));
  }
}

/** Calls a handler and reads what it replies, now or later. */
type Put = (context: RequestContext) => AnswerWords | PromiseLike<AnswerWords>;

const putTo =
  <T>(handler: (context: RequestContext) => T | PromiseLike<T>, read: (reply: T) => AnswerWords): Put =>
  (context) => {
    const reply = handler(context);
    const said = (reply: T): AnswerWords => {
      const words = read(reply);
      const { degraded, answers } = (reply as { relayed?: RelayedAnswer }).relayed ?? {};
      return { ...words, outcome: { ...words.outcome, degraded }, answers };
    };
    return isThenable(reply) ? Promise.resolve(reply).then(said) : said(reply);
  };

const deadlineOf = (payload: RequestToShow["payload"]): HeardDeadline | undefined =>
  ("deadline" in payload ? (payload.deadline as HeardDeadline | null | undefined) : undefined) ?? undefined;

const isSame = (one: RequestToShow, other: RequestToShow): boolean =>
  one.type === other.type && askedBy(one.payload) === askedBy(other.payload);

/** A request that the person has. Its signal costs more than the rest, so it is made when read. */
class ShownRequest {
  readonly id: string;
  readonly type: string;
  /** The size of the request, in UTF-16 units. */
  readonly units: number;
  readonly put: Put;
  readonly #to: Pick<ShownRequestsOptions, "touch" | "presence" | "report">;
  #followers: ((state: DeliveryState) => void)[] = [];
  #controller: AbortController | undefined;
  #aborted: RequestSettled | undefined;
  /** True once the server was told that a person has the request. */
  isReceived = false;
  /** True while an answer is on its way, whose reply alone then ends the request. */
  isAnswered = false;
  /** True once the server has told of its end. */
  isSettled = false;
  deadline: HeardDeadline | undefined;
  /** The request as it came first. */
  readonly request: RequestToShow;
  /** True after a reset, until the request comes again. */
  isAwaited = false;
  /** True once the server knows that the person has begun before the present deadline. */
  isTouched = false;
  hasBegun = false;
  /** The number of refused answers. */
  refusals = 0;

  constructor(
    request: RequestToShow,
    units: number,
    put: Put,
    to: Pick<ShownRequestsOptions, "touch" | "presence" | "report">,
  ) {
    this.id = request.payload.id;
    this.units = units;
    this.type = request.type;
    this.deadline = deadlineOf(request.payload);
    this.request = request;
    this.put = put;
    this.#to = to;
  }

  context(issues: readonly AnswerIssue[]): RequestContext {
    this.#followers = [];
    return new Context(this, issues);
  }

  /** The person begins to answer. */
  begin(): void {
    if (this.isTouched || this.isAnswered || this.#aborted !== undefined || !this.#isTold) return;
    this.isTouched = true;
    this.hasBegun = true;
    this.#to.touch(this.id);
  }

  abort(why: RequestSettled): void {
    this.#aborted = why;
    this.#controller?.abort(why);
  }

  /** Says again that the person has begun: the server forgets that with the connection (P-XDL-4). */
  touchAgain(): void {
    if (this.hasBegun && !this.isAnswered && this.#isTold) this.#to.touch(this.id);
  }

  follow(follower: (state: DeliveryState) => void): void {
    this.#followers.push(follower);
  }

  /** Reports the way of the answer. */
  tell(state: DeliveryState): void {
    for (const follower of this.#followers) {
      try {
        follower(state);
      } catch (error) {
        this.#to.report(`delivery handler: ${state.is}: ${errorText(error)}`);
      }
    }
  }

  get #isTold(): boolean {
    return this.deadline !== undefined || this.#to.presence();
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#aborted !== undefined) this.#controller.abort(this.#aborted);
    return this.#controller.signal;
  }
}

/** A handler's view of a request's course. A literal with a getter takes twice the time of the whole class. */
class Context implements RequestContext {
  readonly issues: readonly AnswerIssue[];
  readonly touch: () => void;
  readonly onDelivery: RequestContext["onDelivery"];
  readonly #shown: ShownRequest;

  constructor(shown: ShownRequest, issues: readonly AnswerIssue[]) {
    this.#shown = shown;
    this.issues = issues;
    this.touch = () => shown.begin();
    this.onDelivery = (follower) => shown.follow(follower);
  }

  get signal(): AbortSignal {
    return this.#shown.signal;
  }
}
