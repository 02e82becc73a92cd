import {
  AnswerIssue,
  type AnswerParams,
  type HeardAgentMethods,
  HeardOutcome,
  LocalError,
  type Marks,
  type Out,
  type Peer,
  type Validate,
  WireError,
  type WireEvent,
} from "@askwire/protocol";
import { moreThan, Room, unitsOf } from "@askwire/protocol/internal";
import type { Deliveries, DeliveryEntry } from "../contract/deliveries.js";
import type { DeliveryState } from "../contract/delivery.js";
import type { Timing } from "../runtime/timing.js";
import { member } from "./member.js";

/** The most answers that may wait for the server's word, and the UTF-16 units of all. */
const MOST_WAITING = { count: 1_000, units: 64 * 1_048_576 };
/** Until an answer is sent again that came with too many others (P-XAN-8). */
const OVERLOADED_WAIT_MS = 15_000;

/** The server's word on an answer: counted, to be corrected, too late, or failed for another reason. */
export type AnswerResult =
  | { is: "accepted" }
  | { is: "refused"; issues: readonly AnswerIssue[] }
  | { is: "late"; outcome?: HeardOutcome; problem: string }
  | { is: "failed"; problem: string };

type AnswerReply = Out<HeardAgentMethods["answer"]["result"]>;
type SettledByReply = (payload: Settled["payload"], marks: Marks) => void;
type Settled = Extract<WireEvent, { type: "InteractionSettled" }>;

interface Waiting {
  readonly params: AnswerParams;
  readonly entry: DeliveryEntry;
  readonly units: number;
  readonly done: (result: AnswerResult) => void;
}

/**
 * The answers of this client, each kept until the server's reply (P-XCL-3). Every new connection sends them again under
 * the same `answer_id`.
 */
export class SentAnswers {
  readonly #timing: Timing;
  readonly #validate: Validate;
  readonly #deliveries: Deliveries;
  readonly #settled: SettledByReply;
  /** By `answer_id`, oldest first. */
  readonly #waiting = new Map<string, Waiting>();
  /** The ids of requests that are to come again first: answers to them wait. */
  #awaited = new Set<string>();
  readonly #room = new Room(MOST_WAITING);
  readonly #again = new Map<string, () => void>();
  #peer: Peer<HeardAgentMethods> | undefined;

  /** @param settled told of a settlement that a reply stands for, before who gave the answer is told. */
  constructor(timing: Timing, validate: Validate, deliveries: Deliveries, settled: SettledByReply) {
    this.#settled = settled;
    this.#timing = timing;
    this.#validate = validate;
    this.#deliveries = deliveries;
  }

  /**
   * Sends an answer, now or when there is a connection.
   *
   * @param done called once, unless the session ends before.
   * @param told called with each state on the way, the last one before `done`. Default: nobody follows it.
   * @throws LocalError INVALID_STATE where too many wait.
   */
  give(
    params: AnswerParams,
    done: (result: AnswerResult) => void,
    told?: (state: DeliveryState) => void,
  ): void {
    const units = unitsOf(params);
    if (!this.#room.take(units)) {
      throw new LocalError("INVALID_STATE", `${moreThan(MOST_WAITING, "answers")} wait for the server`);
    }
    const { answer_id: id, request_id: requestId, ...answer } = params;
    const entry = this.#deliveries.add({ kind: "answer", id, requestId, answer }, told);
    const waiting = { params, entry, units, done };
    this.#waiting.set(id, waiting);
    if (!this.#awaited.has(requestId)) this.#send(waiting);
  }

  /**
   * A new connection is attached.
   *
   * @param awaited the ids of requests that come again first, since they may ask something else now.
   */
  resume(peer: Peer<HeardAgentMethods>, awaited: ReadonlySet<string>): void {
    this.#peer = peer;
    this.#awaited = new Set(awaited);
    for (const waiting of [...this.#waiting.values()])
      if (!awaited.has(waiting.params.request_id)) this.#send(waiting);
  }

  /** Sends the answers that waited for their requests: all, or those to one request that has come again. */
  release(requestId?: string): void {
    if (this.#awaited.size === 0) return;
    for (const waiting of [...this.#waiting.values()]) {
      const { request_id } = waiting.params;
      if (this.#awaited.has(request_id) && (requestId ?? request_id) === request_id) this.#send(waiting);
    }
    if (requestId === undefined) this.#awaited.clear();
    else this.#awaited.delete(requestId);
  }

  /** The request asks something else now: what was said to it is never sent again. */
  withdraw(requestId: string, problem: string): void {
    this.#awaited.delete(requestId);
    for (const waiting of [...this.#waiting.values()]) {
      if (waiting.params.request_id === requestId) this.#end(waiting, { is: "failed", problem });
    }
  }

  lost(): void {
    this.#peer = undefined;
    this.#awaited.clear();
    for (const forget of this.#again.values()) forget();
    this.#again.clear();
  }

  /** Nothing more is sent. */
  close(): void {
    this.lost();
    this.#waiting.clear();
  }

  #send(waiting: Waiting): void {
    const peer = this.#peer;
    if (peer === undefined || peer.isClosed) return;
    try {
      peer.call("answer", waiting.params, (answer) => {
        if (answer.ok) this.#counted(waiting, answer.value);
        else this.#failed(waiting, answer.error, peer);
      });
    } catch (error) {
      // Not within the call that gave it: who gave it hears of a failure in one way only.
      queueMicrotask(() => this.#end(waiting, { is: "failed", problem: (error as Error).message }));
    }
  }

  /** With a number the reply is the event of the settlement, which does not come by itself (P-XAN-2). */
  #counted(waiting: Waiting, { seq, state, ...settled }: AnswerReply): void {
    const { request_id, answer_id } = waiting.params;
    if (seq !== undefined && this.#waiting.has(answer_id))
      this.#settled({ request_id, ...settled }, { seq, ...(state && { state }) });
    this.#end(waiting, { is: "accepted" });
  }

  #failed(waiting: Waiting, error: WireError | LocalError, peer: Peer<HeardAgentMethods>): void {
    const { answer_id } = waiting.params;
    const problem = error.message;
    if (!(error instanceof WireError)) {
      // Without a connection there is no word on it yet.
      if (!peer.isClosed) this.#end(waiting, { is: "failed", problem });
    } else if (error.is("Overloaded")) {
      if (peer !== this.#peer) return;
      const send = () => {
        this.#again.delete(answer_id);
        this.#send(waiting);
      };
      this.#again.set(answer_id, this.#timing.after(OVERLOADED_WAIT_MS, send));
    } else if (error.is("InvalidAnswer") || member(error.data, "issues")) {
      this.#end(waiting, { is: "refused", issues: this.#issues(error) });
    } else if (lateCodes.some((code) => error.is(code))) {
      const outcome = this.#validate(HeardOutcome, member(error.data, "outcome"));
      this.#end(waiting, { is: "late", problem, ...(outcome.ok && { outcome: outcome.value }) });
    } else {
      this.#end(waiting, { is: "failed", problem });
    }
  }

  #end(waiting: Waiting, result: AnswerResult): void {
    const { params, entry, done } = waiting;
    if (!this.#waiting.delete(params.answer_id)) return;
    this.#room.leave(waiting.units);
    entry.end(result.is === "accepted" ? { is: "taken" } : result);
    done(result);
  }

  /** A server that refuses without saying why is taken at its message. */
  #issues({ data, message }: WireError): readonly AnswerIssue[] {
    const said = member(data, "issues");
    const issues = (Array.isArray(said) ? said : []).flatMap((issue) => {
      const parsed = this.#validate(AnswerIssue, issue);
      return parsed.ok ? [parsed.value] : [];
    });
    return issues.length > 0 ? issues : [{ question_id: null, code: "unexpected", message }];
  }
}

/** The errors after which the request is no longer open to this client, if it ever was (P-XAN-3). */
const lateCodes = ["AlreadyResolved", "UnknownRequest", "SessionMismatch", "NotAllowed"] as const;
