import {
  type AnswerIssue,
  type AnswerParams,
  type Deadline,
  type ExtendedApprovalRequest,
  type ExtendedQuestionRequest,
  type IncomingCall,
  type Outcome,
  type Receipt,
  WireError,
} from "@askwire/protocol";
import { isThenable } from "@askwire/protocol/internal";
import {
  type AnswerWords,
  answerToApproval,
  answerToQuestion,
  type ClientHandlers,
  type RequestContext,
  viewQuestion,
} from "../contract/handlers.js";
import { RequestSettled } from "../contract/settled.js";
import { uuid } from "../runtime/uuid.js";
import type { AnswerResult, SentAnswers } from "./sent-answers.js";

/** Requests that may be before the person at once. */
const MOST_OPEN = 10_000;
/** How often one answer may be refused before its handler counts as failed: some answer the same every time. */
const MOST_REFUSED = 16;

type RequestToShow =
  | { readonly type: "QuestionRequest"; readonly payload: ExtendedQuestionRequest }
  | { readonly type: "ApprovalRequest"; readonly payload: ExtendedApprovalRequest };

/** What {@link ShownRequests} needs of the session. */
export interface ShownRequestsOptions {
  readonly handlers: ClientHandlers;
  readonly answers: SentAnswers;
  readonly report: (problem: string) => void;
  /** Whether single questions may be skipped on this connection. */
  readonly skip: () => boolean;
  /** Tells the server that the person has begun, if there is a connection. */
  readonly touch: (requestId: string) => void;
  /** Tells it that this client cannot show a request any more. False where there is no connection. */
  readonly release: (requestId: string, message: string) => boolean;
}

/**
 * The questions and approvals that are before the person, over all connections: each is put to its handler once,
 * received at once and answered by a request of its own (P-XAN-1).
 */
export class ShownRequests {
  readonly #options: ShownRequestsOptions;
  /** By the request's id, which a server says: at most {@link MOST_OPEN}. */
  readonly #open = new Map<string, ShownRequest>();
  /** What failed while there was no connection, by the request's id: told when the request comes again. */
  readonly #failures = new Map<string, unknown>();

  constructor(options: ShownRequestsOptions) {
    this.#options = options;
  }

  /**
   * Puts a request to the person, unless it is there already.
   *
   * @throws whatever the handler throws before it returned a promise, or failed with while the connection was lost.
   */
  show(request: RequestToShow, call: IncomingCall): Receipt {
    const { id } = request.payload;
    const receipt: Receipt = { request_id: id, received: true };
    const known = this.#open.get(id);
    if (known !== undefined) {
      call.afterReply(() => this.#shownAgain(known, request));
      return receipt;
    }
    const accepted = this.#options.answers.accepted(id);
    if (accepted !== undefined) {
      call.afterReply(() => this.#again(accepted));
      return receipt;
    }
    if (this.#failures.has(id)) {
      const failure = this.#failures.get(id);
      this.#failures.delete(id);
      throw failure;
    }
    if (this.#open.size >= MOST_OPEN) {
      const data = { limit: "openRequests" };
      throw new WireError("Overloaded", `more than ${MOST_OPEN} requests are open`, { data });
    }
    const shown = new ShownRequest(request, this.#put(request), this.#options.touch);
    this.#open.set(id, shown);
    try {
      this.#ask(shown, []);
    } catch (error) {
      this.#open.delete(id);
      throw error;
    }
    call.afterReply(() => shown.received());
    return receipt;
  }

  /** A request was settled. One that this client has answered ends by the reply to its answer. */
  settled(requestId: string, outcome: Outcome): void {
    const shown = this.#open.get(requestId);
    if (shown !== undefined && !shown.isAnswered)
      this.#take(shown, new RequestSettled("it was settled", outcome));
  }

  updated(requestId: string, deadline: Deadline | null): void {
    const shown = this.#open.get(requestId);
    if (shown === undefined) return;
    shown.hasDeadline = deadline !== null;
    shown.isTouched = false;
  }

  /** Takes away what is not open any more. What was answered ends by the reply to its answer. */
  keep(pending: ReadonlySet<string>): void {
    this.#takeAll((id) => !pending.has(id), "it was settled while the connection was lost");
    for (const id of this.#failures.keys()) if (!pending.has(id)) this.#failures.delete(id);
  }

  /** Takes away all, also what may be shown again. */
  drop(why: string): void {
    this.#takeAll(() => true, why);
    this.#failures.clear();
  }

  /** The session ends: no answer counts any more. */
  close(): void {
    for (const shown of this.#open.values()) shown.abort(new RequestSettled("the connection closed"));
    this.#open.clear();
    this.#failures.clear();
  }

  #takeAll(which: (id: string) => boolean, why: string): void {
    for (const [id, shown] of [...this.#open]) {
      if (!shown.isAnswered && which(id)) this.#take(shown, new RequestSettled(why));
    }
  }

  #take(shown: ShownRequest, why: RequestSettled): void {
    this.#open.delete(shown.id);
    shown.abort(why);
  }

  #shownAgain(shown: ShownRequest, { payload }: RequestToShow): void {
    shown.hasDeadline = hasDeadline(payload);
    shown.received();
    // The server forgot it with the connection (P-XDL-4).
    if (shown.hasBegun && !shown.isAnswered && shown.hasDeadline) this.#options.touch(shown.id);
  }

  /** How a request is put to its handler, and what the reply says. */
  #put(request: RequestToShow): Put {
    const { question, approval } = this.#options.handlers;
    if (request.type === "QuestionRequest") {
      if (question === undefined) throw cannotShow("questions");
      const view = viewQuestion(request.payload);
      return putTo(
        (context) => question(view, context),
        (reply) => answerToQuestion(view, reply, this.#options.skip()),
      );
    }
    if (approval === undefined) throw cannotShow("approvals");
    return putTo((context) => approval(request.payload, context), answerToApproval);
  }

  /** Calls the handler. @throws what it throws at once. */
  #ask(shown: ShownRequest, issues: readonly AnswerIssue[]): void {
    shown.isAnswered = false;
    const words = shown.put(shown.context(issues));
    if (!isThenable(words)) return this.#answer(shown, words);
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
      this.#options.report(`the answer to ${accepted.request_id} is not sent again: ${error}`);
    }
  }

  #answer(shown: ShownRequest, words: AnswerWords): void {
    shown.whenReceived(() => {
      if (this.#open.get(shown.id) !== shown) return;
      shown.isAnswered = true;
      const params = { request_id: shown.id, answer_id: uuid(), ...words };
      try {
        this.#options.answers.give(params, (result) => this.#replied(shown, result));
      } catch (error) {
        this.#failed(shown, error);
      }
    });
  }

  #replied(shown: ShownRequest, result: AnswerResult): void {
    if (this.#open.get(shown.id) !== shown) return;
    switch (result.is) {
      case "accepted":
        this.#open.delete(shown.id);
        return;
      case "late":
        this.#options.report(`the answer to ${shown.id} did not count: ${result.problem}`);
        return this.#take(shown, new RequestSettled("it was settled before", result.outcome));
      case "failed":
        return this.#failed(shown, new Error(result.problem));
      case "refused":
        try {
          shown.refusals += 1;
          if (shown.refusals > MOST_REFUSED) throw new Error(`refused ${shown.refusals} times`);
          this.#ask(shown, result.issues);
        } catch (error) {
          this.#failed(shown, error);
        }
    }
  }

  /** Nobody has it before them any more (P-XAN-9). */
  #failed(shown: ShownRequest, error: unknown): void {
    if (this.#open.get(shown.id) !== shown) return;
    this.#open.delete(shown.id);
    this.#options.report(`${shown.type} ${shown.id} is not answered by this client: ${error}`);
    shown.whenReceived(() => {
      if (!this.#options.release(shown.id, String(error))) this.#failures.set(shown.id, error);
    });
  }
}

/** Calls a handler and reads what it replies, now or later. */
type Put = (context: RequestContext) => AnswerWords | PromiseLike<AnswerWords>;

const putTo =
  <T>(handler: (context: RequestContext) => T | PromiseLike<T>, read: (reply: T) => AnswerWords): Put =>
  (context) => {
    const reply = handler(context);
    return isThenable(reply) ? Promise.resolve(reply).then(read) : read(reply);
  };

const cannotShow = (what: string) => new WireError("InvalidParams", `this client cannot show ${what}`);

const hasDeadline = (payload: RequestToShow["payload"]) => "deadline" in payload && payload.deadline != null;

/** One request before the person. Its signal costs more than the rest, so it is made when it is read. */
class ShownRequest {
  readonly id: string;
  readonly type: string;
  readonly put: Put;
  readonly #touch: (requestId: string) => void;
  #controller: AbortController | undefined;
  #aborted: RequestSettled | undefined;
  #isReceived = false;
  #onReceived: (() => void) | undefined;
  /** Whether an answer to it is on its way: only the reply to that ends it then. */
  isAnswered = false;
  hasDeadline: boolean;
  /** Whether the server was told of the deadline of now that the person has begun. */
  isTouched = false;
  hasBegun = false;
  /** How often its answers were refused. */
  refusals = 0;

  constructor(request: RequestToShow, put: Put, touch: (requestId: string) => void) {
    this.id = request.payload.id;
    this.type = request.type;
    this.hasDeadline = hasDeadline(request.payload);
    this.put = put;
    this.#touch = touch;
  }

  context(issues: readonly AnswerIssue[]): RequestContext {
    const signal = () => this.#signal();
    return {
      get signal() {
        return signal();
      },
      issues,
      touch: () => {
        if (!this.hasDeadline || this.isTouched || this.isAnswered || this.#aborted !== undefined) return;
        // An answer, or a failure, waits already: it must not give way.
        if (this.#onReceived !== undefined) return;
        this.isTouched = true;
        this.hasBegun = true;
        this.whenReceived(() => this.#touch(this.id));
      },
    };
  }

  abort(why: RequestSettled): void {
    this.#aborted = why;
    this.#controller?.abort(why);
  }

  /** Runs `action` once the server has the receipt; only the last one that waits for it. */
  whenReceived(action: () => void): void {
    if (this.#isReceived) action();
    else this.#onReceived = action;
  }

  received(): void {
    this.#isReceived = true;
    const action = this.#onReceived;
    this.#onReceived = undefined;
    action?.();
  }

  #signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#aborted !== undefined) this.#controller.abort(this.#aborted);
    return this.#controller.signal;
  }
}
