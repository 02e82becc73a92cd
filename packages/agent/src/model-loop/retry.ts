import type { Clock, ModelError, Turn } from "@askwire/server";
import { providerErrorTypes, unlessAborted } from "@askwire/server/internal";

/** Milliseconds before the second try, doubled for each further one, up to the longest. */
const FIRST_MS = 300;
const LONGEST_MS = 5_000;
/** The longest pause that a provider may ask for. A longer wish ends the turn at the next failure. */
const LONGEST_ASKED_MS = 60_000;

export interface FailedTry {
  /** The number of the step. */
  readonly n: number;
  /** The try that failed, from 1. */
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly error: ModelError;
}

/** Tells the clients of the next attempt at a step, and waits. The provider may set the pause, else each is longer. */
export async function retryWait(
  turn: Turn,
  clock: Clock,
  { n, attempt, maxAttempts, error }: FailedTry,
): Promise<void> {
  const asked = error.retryAfterMs;
  const ms =
    asked === undefined
      ? Math.min(FIRST_MS * 2 ** (attempt - 1), LONGEST_MS)
      : Math.min(asked, LONGEST_ASKED_MS);
  turn.emit("StepRetry", {
    n,
    next_attempt: attempt + 1,
    max_attempts: maxAttempts,
    wait_s: ms / 1000,
    error_type: providerErrorTypes[error.kind],
    status_code: error.status ?? null,
  });
  let cancel = () => {};
  const waited = new Promise<void>((resolve) => {
    cancel = clock.after(ms, resolve, true);
  });
  await unlessAborted(waited, turn.signal).finally(cancel);
}

/** Tells the clients that a step of an earlier process is tried again at once: what was said of it does not count. */
export function tellRetry(turn: Turn, n: number, maxAttempts: number): void {
  turn.emit("StepRetry", {
    n,
    next_attempt: 2,
    max_attempts: maxAttempts,
    wait_s: 0,
    error_type: providerErrorTypes.connection,
    status_code: null,
  });
}
