import {
  type HeardAgentMethods,
  type HeardPromptResult,
  LocalError,
  type Peer,
  type UserInput,
  WireError,
} from "@askwire/protocol";
import { randomId } from "@askwire/protocol/internal";
import { EventQueue } from "../contract/event-queue.js";
import type { AnyEvent } from "../contract/observer.js";
import { type ClientTurn, createTurn } from "../contract/turn.js";

/** A prompt of this client that has no result yet. */
interface Waiting {
  readonly turnId: string;
  readonly input: UserInput;
  /** Cancels the turn; before the prompt is sent, drops that. */
  readonly signal?: AbortSignal | undefined;
  readonly queue: EventQueue<AnyEvent>;
  readonly resolve: (result: HeardPromptResult) => void;
  readonly reject: (error: unknown) => void;
  /** The last connection on which the prompt was sent. */
  peer?: Peer<HeardAgentMethods>;
  /** The progress of the turn, by its TurnBegin and TurnEnd. */
  stage: "sent" | "begun" | "ended";
  /** Reports the end of the turn after its last event, since a result may overtake missed events. */
  told?: () => void;
}

/**
 * The prompt of this client, over all connections (P-XCL-7). A prompt has its own id and is sent again until there is a
 * result. Its events are those from its TurnBegin to its TurnEnd.
 */
export class Prompts {
  #waiting: Waiting | undefined;
  /** The id of the turn under way, if it has one that this client knows. */
  #underWay: string | undefined;
  #closed: LocalError | undefined;

  get isClosed(): boolean {
    return this.#closed !== undefined;
  }

  get isRunning(): boolean {
    return this.#waiting !== undefined;
  }

  /** True while a turn is under way, also another client's. */
  get isUnderWay(): boolean {
    return this.#underWay !== undefined || this.isRunning;
  }

  /** The server's word at an attach. */
  set underWay(turnId: string | undefined) {
    this.#underWay = turnId;
  }

  /**
   * Sends a prompt, or lets it wait for a connection.
   *
   * @throws LocalError BAD_MESSAGE for invalid input.
   */
  begin(input: UserInput, peer: Peer<HeardAgentMethods> | undefined, signal?: AbortSignal): ClientTurn {
    return this.#begin({ turnId: randomId(), input, stage: "sent", signal }, peer);
  }

  /** Waits for the turn that is under way, whose id says to the server that none is to begin (P-XTR-2). */
  join(peer: Peer<HeardAgentMethods> | undefined): ClientTurn | undefined {
    const turnId = this.#underWay;
    return turnId ? this.#begin({ turnId, input: "", stage: "begun" }, peer) : undefined;
  }

  #begin(
    prompt: Pick<Waiting, "turnId" | "input" | "stage" | "signal">,
    peer: Peer<HeardAgentMethods> | undefined,
  ): ClientTurn {
    const queue = new EventQueue<AnyEvent>();
    const { promise, resolve, reject } = settleable<HeardPromptResult>();
    const waiting: Waiting = { ...prompt, queue, resolve, reject };
    if (this.#closed !== undefined) reject(this.#closed);
    else {
      if (peer !== undefined) this.#send(waiting, peer);
      this.#waiting = waiting;
      prompt.signal?.addEventListener("abort", this.#drop);
    }
    return createTurn(queue, promise, prompt.turnId);
  }

  route(event: AnyEvent): void {
    const waiting = this.#waiting;
    if (event.type === "TurnBegin") {
      this.#underWay = event.payload.turn_id ?? "";
      if (waiting !== undefined && event.payload.turn_id === waiting.turnId) waiting.stage = "begun";
    }
    if (waiting?.stage === "begun") waiting.queue.push(event);
    if (event.type !== "TurnEnd") return;
    this.#underWay = undefined;
    if (waiting === undefined || event.payload.turn_id !== waiting.turnId) return;
    waiting.stage = "ended";
    waiting.told?.();
  }

  /**
   * All that was missed has come: what has no result is sent again.
   *
   * @param again set if it is sent over the same connection too, which has lost messages. Default: false.
   */
  resume(peer: Peer<HeardAgentMethods>, again = false): void {
    const waiting = this.#waiting;
    if (waiting === undefined || waiting.told !== undefined) return;
    if (waiting.peer === peer && !again) return;
    try {
      this.#send(waiting, peer);
    } catch (error) {
      this.#end(waiting, () => waiting.reject(error));
    }
  }

  /** No event is on its way now. */
  flush(): void {
    this.#waiting?.told?.();
  }

  /**
   * Gives up missed events, which ends the events of a sent prompt; its result is asked for (P-XTR-2). After a restart
   * without resuming nobody knows the result. A turn that continues after one has its further events here (P-XCL-7).
   *
   * @param restart set if the server was restarted: its word at the attach.
   */
  reset(restart?: { readonly resumes: boolean; readonly turnId: string | undefined }): void {
    const waiting = this.#waiting;
    if (waiting?.peer === undefined) return;
    if (waiting.told !== undefined) return waiting.told();
    if (restart?.resumes === false) {
      const text = "prompt: the server was restarted, nobody knows if the turn ran";
      return this.#end(waiting, () => waiting.reject(new LocalError("CLOSED", text)));
    }
    if (restart?.turnId === waiting.turnId) waiting.stage = "begun";
    else if (restart === undefined || waiting.stage === "begun") {
      const text = "prompt: too much was missed to go on with the turn's events";
      waiting.queue.end(new LocalError("CLOSED", text));
      waiting.stage = "ended";
    }
  }

  /** The session ends. */
  close(cause: Error | undefined): void {
    const text = 'the connection closed before "prompt" was answered';
    const error = cause instanceof LocalError ? cause : new LocalError("CLOSED", text, { cause });
    this.#closed = error;
    const waiting = this.#waiting;
    if (waiting?.told !== undefined) waiting.told();
    else if (waiting !== undefined) this.#end(waiting, () => waiting.reject(error));
  }

  /** Gives up a prompt that no connection has carried yet. One that was sent ends by the server's word. */
  readonly #drop = (): void => {
    const waiting = this.#waiting;
    if (waiting === undefined || waiting.peer !== undefined) return;
    this.#end(waiting, () => waiting.reject(waiting.signal?.reason));
  };

  #send(waiting: Waiting, peer: Peer<HeardAgentMethods>): void {
    const { turnId, input, signal } = waiting;
    const answer = peer.request("prompt", { user_input: input, turn_id: turnId }, signal);
    waiting.peer = peer;
    answer.then(
      (result) => this.#answered(waiting, peer, () => waiting.resolve(result), waiting.stage !== "ended"),
      (error: WireError | LocalError) => {
        // Without a connection there is no word on it yet.
        if (!(error instanceof WireError) && peer.isClosed) return;
        this.#answered(waiting, peer, () => waiting.reject(error), waiting.stage === "begun");
      },
    );
  }

  #answered(waiting: Waiting, peer: Peer<HeardAgentMethods>, tell: () => void, eventsMissing: boolean): void {
    if (waiting.peer !== peer || this.#waiting !== waiting) return;
    if (eventsMissing) waiting.told = () => this.#end(waiting, tell);
    else this.#end(waiting, tell);
  }

  #end(waiting: Waiting, tell: () => void): void {
    if (this.#waiting !== waiting) return;
    waiting.signal?.removeEventListener("abort", this.#drop);
    this.#waiting = undefined;
    tell();
  }
}

function settleable<T>() {
  let resolve: (value: T) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
