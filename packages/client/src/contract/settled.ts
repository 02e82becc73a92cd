import type { HeardOutcome } from "@askwire/protocol";

/**
 * The reason of an aborted signal of a handler, in the extended profile. The handler's answer no longer counts.
 * The request was settled elsewhere, was gone after a reconnection, or the session ended (P-XCL-6, P-XCL-8).
 */
export class RequestSettled extends Error {
  override readonly name = "AbortError";
  /** The outcome of the request. Undefined if this client was not told. */
  readonly outcome: HeardOutcome | undefined;

  constructor(message: string, outcome?: HeardOutcome) {
    super(message);
    this.outcome = outcome;
  }
}
