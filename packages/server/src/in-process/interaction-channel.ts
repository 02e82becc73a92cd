import type { Outcome } from "@askwire/protocol";
import type {
  UserInteractionInit,
  UserInteractionRequest,
  UserInteractionResponse,
} from "./interaction-shapes.js";

/** Settings of `userInteractions`. */
export interface UserInteractionOptions {
  /** The name of the answering client in outcomes. Default: `klaude`. */
  readonly name?: string;
  /**
   * Called with each request as soon as it is open, and may answer before returning (P-KLA-7). An exception or a
   * rejection takes the channel off that request.
   */
  readonly onRequest?: (request: UserInteractionRequest) => unknown;
}

/** The questions and approvals of a session, to be answered by a program in this process. */
export interface UserInteractions {
  /** The number of requests that wait for an answer here. */
  readonly pending: number;
  /**
   * Puts a request to the person: in the turn around this code, else in the running turn, else in the session itself.
   * Resolves once the request is answered or declined, here or by a client of the session (L-07).
   *
   * @throws TypeError for a request that does not fit, LocalError INVALID_STATE for a `request_id` that was used,
   * CLOSED once the channel is closed.
   * @throws QuestionUnavailable, QuestionExpired or QuestionWithdrawn if nobody answered (P-OUT-5), also while another
   * question is open (P-KLA-8).
   */
  request(init: UserInteractionInit): Promise<UserInteractionResponse>;
  /**
   * Answers a request, or cancels it. A refused answer changes nothing (P-KLA-9).
   *
   * @throws WireError AlreadyResolved, UnknownRequest, SessionMismatch, InvalidAnswer with `data.issues`,
   * InvalidParams.
   */
  respond(requestId: string, sessionId: string, response: UserInteractionResponse): void;
  /**
   * Resolves with the outcome of a request of this channel, wherever it was answered, also if the channel closes
   * meanwhile. A program that shows the request then takes it away (L-10).
   *
   * @throws WireError UnknownRequest for another session's request, or a request settled long ago.
   */
  outcome(requestId: string): Promise<Outcome>;
  /**
   * Cancels all requests that wait here, as a person who declines. Returns true if there were any.
   *
   * @param sessionId another session's: nothing happens. Default: this one's.
   */
  cancelPending(sessionId?: string): boolean;
  /**
   * The next request that still waits, in the order in which they were opened, each once. Resolves with undefined when
   * the session or the channel has closed.
   *
   * @throws the signal's reason, and WireError Overloaded where 64 wait already.
   */
  nextRequest(signal?: AbortSignal): Promise<UserInteractionRequest | undefined>;
  /** Takes the channel off the session: what only it could answer ends as with any client that is lost. */
  close(): void;
}
