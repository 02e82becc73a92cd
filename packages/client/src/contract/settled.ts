import type { Outcome } from "@askwire/protocol";

/**
 * Why the signal of a handler was aborted in the extended profile: its answer does not count any more, since the
 * request was settled elsewhere, was not there after a reconnection, or the session ended (P-XCL-6, P-XCL-8).
 */
export class RequestSettled extends Error {
  override readonly name = "AbortError";
  /** How it ended; undefined where this client was not told. */
  readonly outcome: Outcome | undefined;

  constructor(message: string, outcome?: Outcome) {
    super(message);
    this.outcome = outcome;
  }
}
