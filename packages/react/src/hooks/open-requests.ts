import {
  type ApprovalReply,
  type ApprovalView,
  type ClientHandlers,
  type Delivery,
  type DeliveryState,
  isKeyOf,
  type QuestionReply,
  type QuestionView,
  type RequestContext,
  RequestSettled,
  requestKey,
} from "@askwire/client";
import type { FormState } from "@askwire/client/form";
import { approversOf } from "@askwire/client/words";
import type { HeardActingClient, HeardDeadline, HeardOutcome, WireEvent } from "@askwire/protocol";
import { type Store, store } from "./store.js";

/** A person's work on a question request so far, as plain JSON. */
export interface AnswerDraft {
  /** The state of the form: choices, own words, notes and pictures. */
  readonly form: FormState;
  /** The words to talk about first, which no other answer sends. Default: none. */
  readonly discuss?: string;
}

/** A person's work on an approval so far, as plain JSON. */
export interface ApprovalDraft {
  /** The words that go with a rejection. */
  readonly why: string;
  /** The words that go with an approval. Default: none. */
  readonly note?: string;
  /** The changed text, with the one that it was made of. */
  readonly edit?: { readonly of: string; readonly text: string };
}

interface Open<Kind extends string, View, Reply, Draft> {
  readonly kind: Kind;
  /**
   * Names the request and what it asks, as `requestKey` makes it: a card by this name is never that of other words. The
   * request's own id is `request.id`.
   */
  readonly id: string;
  readonly request: View;
  /** The server's reasons for refusing the last answer (P-XAN-4). Empty before that. */
  readonly issues: RequestContext["issues"];
  /** The person's work on it so far, which outlives the card: an answer that is refused comes back with it. */
  readonly draft?: Draft;
  /**
   * Keeps the person's work.
   *
   * @param fill another number than before for work of elsewhere, which a card that is shown already takes with it as its
   * key. Default: the card has it.
   */
  onDraft(draft: Draft, fill?: number): void;
  /** The `fill` of the work that was put in last. Absent: none was. */
  readonly fill?: number;
  /** Call this when the person begins: the server then removes the deadline (P-XDL-3). */
  onBegin(): void;
  /** Answers the request. Only the first reply counts. */
  onReply(reply: Reply): void;
  /** How far the reply has come; `draft` before there is one. An entry whose reply was taken leaves the list. */
  readonly delivery: { readonly is: "draft" } | DeliveryState;
  /** The reply on its way, and after an end without it: the person's words, which stay to be copied. */
  readonly reply?: Reply;
  /** The other clients whose people have begun to answer, as far as they report that (P-XST-5). Absent: none. */
  readonly answering?: readonly HeardActingClient[];
  /** The calls of the asking program that wait for the answer, where there ever were several (P-XAK-10). */
  readonly calls?: number;
  /** Those who have approved, where several people must (P-XQU-3). Absent: nobody yet. */
  readonly approvedBy?: readonly HeardActingClient[];
  /** The end of a request without an answer of this person, or of their part in it where others must approve too, to be shown until {@link Open.onDismiss}. */
  readonly settled?: { readonly message: string; readonly outcome?: HeardOutcome };
  /** Takes a settled request off the list. */
  onDismiss(): void;
}

/**
 * A question that the person has: the props of a `QuestionCard`, and more. `deadline` is the one that holds now, null
 * once it was removed, and absent for a question without. `deadlineSince` is the time at which it came, on the clock of
 * `performance.now()`.
 */
export type OpenQuestion = Open<"question", QuestionView, QuestionReply, AnswerDraft> & {
  readonly deadline?: HeardDeadline | null;
  readonly deadlineSince?: number;
};
/** An approval that the person has: the props of an `ApprovalCard`, and more. */
export type OpenApproval = Open<"approval", ApprovalView, ApprovalReply, ApprovalDraft>;
/** A request that the person has. */
export type OpenRequest = OpenQuestion | OpenApproval;

/** The newest words that the person said and the agent has not read, for a card to offer as its answer. */
export const saidLast = (outbox: readonly Delivery[]): string | undefined =>
  outbox.flatMap((one) => (one.kind === "words" && typeof one.input === "string" ? [one.input] : [])).at(-1);

/** True for a reply that is on its way to the server. */
export const isOnItsWay = ({ is }: OpenRequest["delivery"]): boolean =>
  is === "sending" || is === "undelivered";

/** True for a request that waits for the person: it is not over, and they have not answered it. */
export const isWaiting = ({ settled, delivery }: Pick<OpenRequest, "settled" | "delivery">): boolean =>
  settled === undefined && (delivery.is === "draft" || delivery.is === "refused");

/** The requests of a connection that wait for the person, in the order in which they came. */
export interface OpenRequests extends Store<readonly OpenRequest[]> {
  /** The handlers to give to the connection. A page with its own `event` calls this one from there. */
  readonly handlers: Required<Pick<ClientHandlers, "question" | "approval" | "event">>;
}

/**
 * The greatest number of settled requests that stay on the list when another one comes: the newest, and before it those on
 * which the person had begun.
 */
const SETTLED_KEPT = 20;

/** The greatest number of drafts that are kept of requests which were answered, in case an answer is refused. */
const DRAFTS_KEPT = 100;

/**
 * Collects the requests of a connection for a user interface. A request leaves the list once the server has the answer;
 * one whose answer came too late or failed stays with it, to be read and copied.
 */
export const openRequests = (): OpenRequests => new ListedRequests();

class ListedRequests implements OpenRequests {
  readonly #list = store<readonly OpenRequest[]>([]);
  readonly #drafts = new Map<string, AnswerDraft | ApprovalDraft>();
  /** Those that are settled before the word on this person's approval of them has come. */
  readonly #over = new Set<string>();
  /** The `onBegin` of those on which the person has begun: their work may be elsewhere than here. */
  readonly #begun = new WeakSet<() => void>();
  readonly current = this.#list.current;
  readonly subscribe = this.#list.subscribe;
  readonly handlers: OpenRequests["handlers"] = {
    question: (request, context) =>
      this.#open<QuestionReply>(request, context, (id, onReply) => ({
        ...{ kind: "question", request, onReply },
        ...(request.deadline !== undefined && timed(request.deadline)),
        ...this.#acts<AnswerDraft>(id, context),
      })),
    approval: (request, context) =>
      this.#open<ApprovalReply>(request, context, (id, onReply) => ({
        ...{ kind: "approval", request, onReply },
        ...this.#acts<ApprovalDraft>(id, context),
      })),
    event: ({ type, payload }) => {
      if (type === "InteractionSettled") this.#forget(payload.request_id);
      if (type === "InteractionUpdated") this.#update(payload);
    },
  };

  #open<Reply>(
    request: QuestionView | ApprovalView,
    { signal, onDelivery }: RequestContext,
    entry: (id: string, onReply: (reply: Reply) => void) => OpenRequest,
  ): Promise<Reply> {
    const id = requestKey(request);
    return new Promise((resolve, reject) => {
      let isAnswered = false;
      const onAbort = () => {
        const reason: Error = signal.reason;
        this.#settle(id, reason.message, {}, reason instanceof RequestSettled ? reason.outcome : undefined);
        reject(reason);
      };
      signal.addEventListener("abort", onAbort, { once: true });
      const opened = entry(id, (reply) => {
        if (signal.aborted || isAnswered) return;
        isAnswered = true;
        this.#change(id, (one) => ({ ...one, reply, delivery: { is: "sending" } }) as OpenRequest);
        resolve(reply);
      });
      onDelivery((state) => this.#follow(id, state));
      const over = this.current().filter(({ settled }) => settled);
      over.reverse().forEach((one, nth) => {
        if (nth >= (this.#begun.has(one.onBegin) ? SETTLED_KEPT : 1)) one.onDismiss();
      });
      const list = this.current();
      const at = list.findIndex((one) => one.id === id);
      this.#list.set(at === -1 ? [...list, opened] : list.with(at, opened));
      if (signal.aborted) onAbort();
    });
  }

  /** @typeParam Draft the work on requests of this kind: an id is of one kind. */
  #acts<Draft extends AnswerDraft | ApprovalDraft>(id: string, { issues, touch }: RequestContext) {
    const draft = this.#drafts.get(id) as Draft | undefined;
    const onBegin = () => {
      this.#begun.add(onBegin);
      touch();
    };
    return {
      id,
      issues,
      delivery: issues.length === 0 ? ({ is: "draft" } as const) : ({ is: "refused", issues } as const),
      onBegin,
      onDraft: (next: Draft, fill?: number) => this.#keep(id, next, fill),
      ...(draft !== undefined && { draft }),
      onDismiss: () => this.#remove(id),
    };
  }

  /** Takes an update: it may say who answers, also of a question that never had a deadline. */
  #update({
    request_id,
    deadline,
    answering,
    calls,
    ...update
  }: Extract<WireEvent, { type: "InteractionUpdated" }>["payload"]): void {
    const approvedBy = approversOf(update);
    const open = this.current().find((one) => one.request.id === request_id && isOpen(one));
    if (open === undefined) return;
    this.#change(open.id, (one) => ({
      ...one,
      // Nobody else answers, and nobody did: the entry stays unchanged.
      ...(answering !== undefined && (answering.length > 0 || one.answering !== undefined) && { answering }),
      ...(calls !== undefined && { calls }),
      ...(approvedBy.length > 0 && { approvedBy }),
      ...(one.kind === "question" && (deadline ?? one.deadline) !== undefined && timed(deadline)),
    }));
  }

  /** Takes the word on a reply. A refused one is put to the person again by the handler. */
  #follow(id: string, delivery: DeliveryState): void {
    const one = this.current().find((each) => each.id === id);
    const isOver = this.#over.delete(id);
    if (delivery.is === "taken" && one !== undefined && waitsForOthers(one) && !isOver)
      this.#settle(id, "others must approve too", { delivery });
    else if (delivery.is === "taken" || delivery.is === "sent") this.#remove(id);
    else if (delivery.is === "late") this.#settle(id, delivery.problem, { delivery }, delivery.outcome);
    else if (delivery.is === "failed") this.#settle(id, delivery.problem, { delivery });
    else this.#change(id, (one) => ({ ...one, delivery }));
  }

  /** Marks a request as over without this person's answer. */
  #settle(
    id: string,
    message: string,
    change: Partial<Pick<OpenRequest, "delivery">>,
    outcome?: HeardOutcome,
  ): void {
    this.#drafts.delete(id);
    const settled = { message, ...(outcome !== undefined && { outcome }) };
    this.#change(id, (one) => ({ ...one, ...change, settled }) as OpenRequest);
  }

  #keep(id: string, draft: AnswerDraft | ApprovalDraft, fill?: number): void {
    this.#drafts.delete(id);
    this.#drafts.set(id, draft);
    for (const oldest of this.#drafts.keys())
      if (this.#drafts.size > DRAFTS_KEPT) this.#drafts.delete(oldest);
    this.#change(id, (one) => ({ ...one, draft, fill: fill ?? one.fill }) as OpenRequest);
  }

  #forget(requestId: string): void {
    for (const id of this.#drafts.keys()) if (isKeyOf(requestId, id)) this.#drafts.delete(id);
    // A request that was asked anew, and otherwise, has an entry beside the one that it ended.
    for (const one of this.current()) {
      if (one.request.id !== requestId) continue;
      if (isCounted(one)) this.#remove(one.id);
      else if (waitsForOthers(one)) this.#over.add(one.id);
    }
  }

  #change(id: string, changed: (one: OpenRequest) => OpenRequest): void {
    this.#list.set(this.current().map((one) => (one.id === id ? changed(one) : one)));
  }

  #remove(id: string): void {
    this.#over.delete(id);
    this.#list.set(this.current().filter((one) => one.id !== id));
  }
}

/** True for an approval of this person that counts, and waits for those of others (P-XQU-3). */
const isCounted = ({ settled, delivery }: OpenRequest): boolean =>
  settled !== undefined && delivery.is === "taken";
const isOpen = (one: OpenRequest): boolean => one.settled === undefined || isCounted(one);

const waitsForOthers = ({ kind, request, approvedBy = [] }: OpenRequest): boolean =>
  kind === "approval" && request.quorum !== undefined && approvedBy.length < request.quorum;

const timed = (deadline: HeardDeadline | null) => ({ deadline, deadlineSince: performance.now() });
