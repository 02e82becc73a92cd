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
import type { AnswerResult, Answers } from "./answers.js";
import {
  type AnswerWords,
  answerToApproval,
  answerToQuestion,
  type ClientHandlers,
  type RequestContext,
  viewQuestion,
} from "./handlers.js";
import { RequestSettled } from "./settled.js";
import { uuid } from "./uuid.js";

/** Requests that may be before the person at once. */
const MOST_OPEN = 10_000;
/** How often one answer may be refused before its handler counts as failed: some answer the same every time. */
const MOST_REFUSED = 16;

type CardRequest =
  | { readonly type: "QuestionRequest"; readonly payload: ExtendedQuestionRequest }
  | { readonly type: "ApprovalRequest"; readonly payload: ExtendedApprovalRequest };

/** What {@link Cards} needs of the session. */
export interface CardsOptions {
  readonly handlers: ClientHandlers;
  readonly answers: Answers;
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
export class Cards {
  readonly #options: CardsOptions;
  /** By the request's id, which a server says: at most {@link MOST_OPEN}. */
  readonly #open = new Map<string, Card>();
  /** What failed while there was no connection, by the request's id: told when the request comes again. */
  readonly #failures = new Map<string, unknown>();

  constructor(options: CardsOptions) {
    this.#options = options;
  }

  /**
   * Puts a request to the person, unless it is there already.
   *
   * @throws whatever the handler throws before it returned a promise, or failed with while the connection was lost.
   */
  show(request: CardRequest, call: IncomingCall): Receipt {
    const { id } = request.payload;
    const receipt: Receipt = { request_id: id, received: true };
    const shown = this.#open.get(id);
    if (shown !== undefined) {
      call.afterReply(() => this.#shownAgain(shown, request));
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
    const card = new Card(request, this.#put(request), this.#options.touch);
    this.#open.set(id, card);
    try {
      this.#ask(card, []);
    } catch (error) {
      this.#open.delete(id);
      throw error;
    }
    call.afterReply(() => card.received());
    return receipt;
  }

  /** A request was settled. One that this client has answered ends by the reply to its answer. */
  settled(requestId: string, outcome: Outcome): void {
    const card = this.#open.get(requestId);
    if (card !== undefined && !card.isAnswered)
      this.#take(card, new RequestSettled("it was settled", outcome));
  }

  updated(requestId: string, deadline: Deadline | null): void {
    const card = this.#open.get(requestId);
    if (card === undefined) return;
    card.hasDeadline = deadline !== null;
    card.isTouched = false;
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
    for (const card of this.#open.values()) card.abort(new RequestSettled("the connection closed"));
    this.#open.clear();
    this.#failures.clear();
  }

  #takeAll(which: (id: string) => boolean, why: string): void {
    for (const [id, card] of [...this.#open]) {
      if (!card.isAnswered && which(id)) this.#take(card, new RequestSettled(why));
    }
  }

  #take(card: Card, why: RequestSettled): void {
    this.#open.delete(card.id);
    card.abort(why);
  }

  #shownAgain(card: Card, { payload }: CardRequest): void {
    card.hasDeadline = hasDeadline(payload);
    card.received();
    // The server forgot it with the connection (P-XDL-4).
    if (card.hasBegun && !card.isAnswered && card.hasDeadline) this.#options.touch(card.id);
  }

  /** How a request is put to its handler, and what the reply says. */
  #put(request: CardRequest): Put {
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
  #ask(card: Card, issues: readonly AnswerIssue[]): void {
    card.isAnswered = false;
    const words = card.put(card.context(issues));
    if (!isThenable(words)) return this.#answer(card, words);
    words.then(
      (words) => this.#answer(card, words),
      (error) => this.#failed(card, error),
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

  #answer(card: Card, words: AnswerWords): void {
    card.whenReceived(() => {
      if (this.#open.get(card.id) !== card) return;
      card.isAnswered = true;
      const params = { request_id: card.id, answer_id: uuid(), ...words };
      try {
        this.#options.answers.give(params, (result) => this.#replied(card, result));
      } catch (error) {
        this.#failed(card, error);
      }
    });
  }

  #replied(card: Card, result: AnswerResult): void {
    if (this.#open.get(card.id) !== card) return;
    switch (result.is) {
      case "accepted":
        this.#open.delete(card.id);
        return;
      case "late":
        this.#options.report(`the answer to ${card.id} did not count: ${result.problem}`);
        return this.#take(card, new RequestSettled("it was settled before", result.outcome));
      case "failed":
        return this.#failed(card, new Error(result.problem));
      case "refused":
        try {
          card.refusals += 1;
          if (card.refusals > MOST_REFUSED) throw new Error(`refused ${card.refusals} times`);
          this.#ask(card, result.issues);
        } catch (error) {
          this.#failed(card, error);
        }
    }
  }

  /** Nobody has it before them any more (P-XAN-9). */
  #failed(card: Card, error: unknown): void {
    if (this.#open.get(card.id) !== card) return;
    this.#open.delete(card.id);
    this.#options.report(`${card.type} ${card.id} is not answered by this client: ${error}`);
    card.whenReceived(() => {
      if (!this.#options.release(card.id, String(error))) this.#failures.set(card.id, error);
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

const hasDeadline = (payload: CardRequest["payload"]) => "deadline" in payload && payload.deadline != null;

/** One request before the person. Its signal costs more than the rest, so it is made when it is read. */
class Card {
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

  constructor(request: CardRequest, put: Put, touch: (requestId: string) => void) {
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
