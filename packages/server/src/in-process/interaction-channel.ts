import type { Outcome } from "@askwire/protocol";
import type {
  UserInteractionInit,
  UserInteractionRequest,
  UserInteractionResponse,
} from "./interaction-shapes.js";

/** Settings of `userInteractions`. */
export interface UserInteractionOptions {
  /** What outcomes name as the client that answered. Default: `klaude`. */
  readonly name?: string;
  /**
   * Told of each request as soon as it is open; it may answer before it returns (P-KLA-7). What it throws, or rejects
   * with, takes the channel off that request.
   */
  readonly onRequest?: (request: UserInteractionRequest) => unknown;
}

/** The questions and approvals of a session, to be answered by a program in this process. */
export interface UserInteractions {
  /** How many wait for an answer here. */
  readonly pending: number;
  /**
   * Puts something to the person: in the turn that this code runs in, else in the one that runs, else in the session
   * itself. Resolves once that is answered or declined, here or by a client of the session (L-07).
   *
   * @throws TypeError for what does not fit, LocalError INVALID_STATE for a `request_id` that was used, CLOSED once the
   *   channel is closed; QuestionUnavailable, QuestionExpired or QuestionWithdrawn where nobody answered (P-OUT-5), also
   *   while another question is open (P-KLA-8).
   */
  request(init: UserInteractionInit): Promise<UserInteractionResponse>;
  /**
   * Answers a request, or cancels it. One that is refused leaves it as it is (P-KLA-9).
   *
   * @throws WireError AlreadyResolved, UnknownRequest, SessionMismatch, InvalidAnswer with `data.issues`, InvalidParams.
   */
  respond(requestId: string, sessionId: string, response: UserInteractionResponse): void;
  /**
   * How a request ends that came out of the channel, wherever it was answered, also where the channel is closed
   * meanwhile: who shows it then takes it away (L-10).
   *
   * @throws WireError UnknownRequest for one that did not, or was settled long ago.
   */
  outcome(requestId: string): Promise<Outcome>;
  /**
   * Cancels what waits here, as a person who declines. Whether there was anything.
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
