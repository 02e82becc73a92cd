import { type Approver, LocalError, type Outcome } from "@askwire/protocol";
import { mayBeLeft } from "../runtime/may-be-left.js";
import { uuid } from "../runtime/uuid.js";
import type { ApprovalAnswer } from "./approval-answer.js";
import type { SessionSuspended } from "./errors.js";

/** The end of a request, with its answer if there is one. */
export interface Settlement<Answer> {
  /** The outcome: its cause and its time. */
  readonly outcome: Outcome;
  /** Only where the outcome is `answered`. */
  readonly answer?: Answer;
  /** The message that made it, and that is refused where its record cannot be written. Default: none. */
  readonly message?: AnswerMessage;
}

/** An answer whose sender awaits a reply. */
export interface AnswerMessage {
  /** The client's id of the answer. */
  readonly answer_id?: string;
  /** The id that the session knows the client by. */
  readonly client_id?: string;
}

/** The approval of one person of several, as it is kept until the last one has come (P-XQU-3). */
export interface QuorumVote {
  readonly by: Approver;
  readonly answer: ApprovalAnswer;
  /** The message that it came by. Default: none that is awaited. */
  readonly message?: AnswerMessage;
}

/** Keeps one request for the next process (P-DUR-2 to P-DUR-6). */
export interface RequestKeeper {
  /** Keeps that a person has begun to answer. */
  touched(): void;
  /** Keeps the approval of one of several people before it counts. Returns false for one that must not count. */
  voted(vote: QuorumVote): boolean;
  /** Keeps a settlement before it counts. Returns false for one that must not count. */
  settling(settlement: Settlement<unknown>): boolean;
  /** Settles once all that was kept before is safe, or cannot be; undefined where it is safe now. */
  synced(): Promise<void> | undefined;
}

type Listener<Answer> = (settlement: Settlement<Answer>) => void;

/** The sub-agent that a request comes from. */
export interface RequestOrigin {
  /** The id of the sub-agent. */
  readonly agent_id: string;
  /** The kind of sub-agent. */
  readonly subagent_type: string;
  /** A line for the person on the purpose of the sub-agent. */
  readonly description?: string;
  /** The tool call that it works in. */
  readonly parent_tool_call_id?: string;
}

/** A call of a turn. */
export interface CallPlace {
  readonly callId: string;
  /** The number among the turn's calls with that id, from 1: models repeat ids. */
  readonly nth: number;
}

/** The turn that a request is made in, and the call inside of it. */
export interface RequestPlace extends Partial<CallPlace> {
  readonly turnId: string;
}

/**
 * A request to a client, of any kind. The first settlement wins, and later settlements learn so (P-INT-2). The core
 * registers a request before sending, so that no answer can come too early.
 */
export abstract class Interaction<Answer> {
  #id: string;
  abstract readonly kind: "question" | "approval" | "tool_call" | "hook";
  /** The name by which a turn that runs again finds it (P-RES-6); undefined without one. */
  readonly key: string | undefined;
  /** The tool call that asks. For a hook, the call that is its subject, or empty. */
  abstract readonly toolCallId: string;
  /** The sub-agent that asks, set before the request is opened; undefined for the root agent. */
  origin: RequestOrigin | undefined;
  /** The place by which the next process finds it, set before it is opened; undefined outside a turn. */
  place: RequestPlace | undefined;
  /** True once the core has it: nobody waits for one that nobody sees. */
  sent = false;
  /** True for a request of an earlier process while nobody in this one waits for its outcome. */
  held = false;
  /** Set when it is opened in a session that is kept. */
  keeper: RequestKeeper | undefined;
  #settlement: Settlement<Answer> | undefined;
  /** Begins as a literal, here and below: an array that grows by `push` has room for 16 more, 130 bytes. */
  #listeners: readonly Listener<Answer>[] = none;
  /** Ends the waits without a settlement. */
  #waits: readonly ((error: unknown) => void)[] = none;
  #suspended: SessionSuspended | undefined;
  /** The request of this process that an earlier one's stands for. */
  #stand: Interaction<Answer> | undefined;

  constructor(id: string = uuid(), key?: string) {
    this.#id = id;
    this.key = key;
  }

  /** A UUID: the payload id and the JSON-RPC id of every copy (P-ID-1), save for a tool call's (P-EXT-7). */
  get id(): string {
    return this.#id;
  }

  /** The outcome; undefined while the request is open. */
  get outcome(): Outcome | undefined {
    return this.#settlement?.outcome;
  }

  /** The answer; undefined without one. */
  get answer(): Answer | undefined {
    return this.#settlement?.answer;
  }

  /** True once the request is settled. */
  get resolved(): boolean {
    return this.#settlement !== undefined;
  }

  /**
   * Settles it. Returns false, and changes nothing, if it was settled before, or if the answer of a client cannot be
   * kept (P-DUR-6).
   */
  settle(settlement: Settlement<Answer>): boolean {
    if (this.#settlement !== undefined || this.#suspended !== undefined) return false;
    if (this.keeper?.settling(settlement) === false) return false;
    this.#settlement = settlement;
    this.#waits = none;
    const listeners = this.#listeners;
    this.#listeners = none;
    for (const listener of listeners) listener(settlement);
    return true;
  }

  /** Calls the listener with the settlement, at once if there is one. */
  onSettled(listener: Listener<Answer>): void {
    if (this.#settlement === undefined) this.#listeners = added(this.#listeners, listener);
    else listener(this.#settlement);
  }

  /** Resolves with the settlement, once that is safe on disk. */
  ended(): Promise<Settlement<Answer>> {
    return this.settled((settlement) => settlement);
  }

  /**
   * Lets the request of an earlier process stand for this one: it has that id, and both end alike. Internal: for turns
   * that run again.
   */
  standFor(restored: Interaction<Answer>): void {
    // The record of the settlement is the restored request's.
    this.keeper = restored.keeper && { ...restored.keeper, settling: () => true };
    this.#id = restored.id;
    this.sent = true;
    restored.onSettled((settlement) => this.settle(settlement));
    this.onSettled((settlement) => restored.settle(settlement));
    restored.#stand = this;
    restored.held = false;
  }

  /** Ends each wait with this error, and settles nothing, now or later. Internal: for a session that is suspended. */
  suspend(error: SessionSuspended): void {
    if (this.#settlement !== undefined || this.#suspended !== undefined) return;
    this.#suspended = error;
    this.#listeners = none;
    // Whoever still has the request does not hold its session.
    this.keeper = undefined;
    for (const reject of this.#waits) reject(error);
    this.#waits = none;
    this.#stand?.suspend(error);
  }

  /**
   * Resolves as {@link settled} does, for an agent.
   *
   * @throws LocalError INVALID_STATE for a request that nobody was sent: the wait would have no end.
   */
  protected waited<T>(read: (settlement: Settlement<Answer>) => T): Promise<T> {
    if (this.sent || this.resolved || this.#suspended !== undefined) return this.settled(read);
    return Promise.reject(new LocalError("INVALID_STATE", "wait: send the request first, with wireSend"));
  }

  /**
   * Resolves with the value that `read` makes of the settlement, once that is safe on disk, or rejects with its
   * exception.
   *
   * @throws SessionSuspended when the process leaves the request to the next one.
   */
  protected settled<T>(read: (settlement: Settlement<Answer>) => T): Promise<T> {
    if (this.#suspended !== undefined) return mayBeLeft(Promise.reject(this.#suspended));
    const waiting = new Promise<T>((resolve, reject) => {
      // Code that awaits several requests in turn must not end the process when all fail at once.
      const fail = (error: unknown) => {
        reject(error);
        queueMicrotask(() => void waiting.catch(() => {}));
      };
      if (this.#settlement === undefined) this.#waits = added(this.#waits, fail);
      const goOn = (settlement: Settlement<Answer>) => {
        try {
          resolve(read(settlement));
        } catch (error) {
          fail(error);
        }
      };
      this.onSettled((settlement) => {
        const syncing = this.keeper?.synced();
        if (syncing === undefined) goOn(settlement);
        else syncing.then(() => goOn(settlement), fail);
      });
    });
    return waiting;
  }
}

const none: readonly never[] = [];
const added = <T>(list: readonly T[], one: T): readonly T[] => (list.length === 0 ? [one] : list.concat(one));

type Details<S extends Outcome["status"]> = Omit<Extract<Outcome, { status: S }>, "status" | "at">;

/** An outcome of now, caused on this side. */
export function outcomeNow<S extends Outcome["status"]>(status: S, details: Details<S>): Outcome {
  return { status, ...details, at: new Date().toISOString() } as unknown as Outcome;
}
