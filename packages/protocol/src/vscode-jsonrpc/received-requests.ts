import { type CancellationToken, ResponseError } from "vscode-jsonrpc";
import type { ErrorObject } from "../errors.js";
import { overloaded } from "../framing/engine.js";

/** A reply of the engine above. */
export interface PendingReply {
  readonly result?: unknown;
  readonly error?: ErrorObject;
}

/** Requests of the other side that are not answered yet, under ids that are given here. */
export class ReceivedRequests {
  readonly #most: number;
  readonly #handOn: (message: object) => void;
  readonly #replies = new Map<string, (reply: PendingReply) => Promise<unknown>>();
  #lastId = 0;
  #beingHandedOn: string | null = null;

  /**
   * @param most unanswered requests that the engine above allows.
   * @param handOn hands a request, or its cancellation, to that engine.
   */
  constructor(most: number, handOn: (message: object) => void) {
    this.#most = most;
    this.#handOn = handOn;
  }

  /** The id of the request that is being handed on; null if none is. */
  get beingHandedOn(): string | null {
    return this.#beingHandedOn;
  }

  /** Takes a request. Returns its answer as the library wants it. */
  take = (method: string, params: unknown, token: CancellationToken): Promise<unknown> => {
    // Some requests are never answered, such as an event with an id; the engine above counts the others.
    if (this.#replies.size >= 2 * this.#most) return Promise.reject(asRejection(overloaded(this.#most)));
    this.#lastId += 1;
    const id = String(this.#lastId);
    const answered = this.#answerTo(id);
    this.#beingHandedOn = id;
    this.#handOn({ id, method, params });
    this.#beingHandedOn = null;
    const cancel = () => this.#handOn({ method: "$/cancelRequest", params: { id } });
    // The token of a request that was cancelled while it waited in the queue has no effect.
    if (token.isCancellationRequested) cancel();
    else token.onCancellationRequested(cancel);
    return answered;
  };

  /** Answers a request. Returns the promise that the library waits for, settled. */
  answer(id: string, reply: PendingReply): Promise<unknown> | undefined {
    return this.#replies.get(id)?.(reply);
  }

  #answerTo(id: string): Promise<unknown> {
    const answered = new Promise<unknown>((resolve, reject) => {
      this.#replies.set(id, ({ result, error }) => {
        this.#replies.delete(id);
        if (error === undefined) resolve(result);
        else reject(asRejection(error));
        return answered;
      });
    });
    return answered;
  }
}

const asRejection = ({ code, message, data }: ErrorObject) => new ResponseError(code, message, data);
