import { errorText } from "@askwire/protocol/internal";
import type { Clock, Log } from "@askwire/server";

/** The parts of a lease. */
export interface LeaseParts {
  /** The name of the process in logs. */
  readonly name: string;
  readonly leaseMs: number;
  readonly clock: Clock;
  readonly log: Log;
  /** Makes the lease longer. Resolves with true where it was over, by the clock of the engine. */
  readonly renew: () => Promise<boolean>;
  /**
   * Called once the lease was over, until it does not fail: others may have taken sessions since. Also called after a
   * renewal that failed: the engine may have made it, and its reply, which said so, was lost.
   */
  readonly whenOver: () => Promise<void>;
}

/** The lease of this process in the store, renewed every quarter of it: while it holds, nobody takes its sessions. */
export class Lease {
  readonly #parts: LeaseParts;
  #isFailing = false;
  /** True where the sessions are to be looked for that others may have taken. */
  #mayBeTaken = false;
  #isEnded = false;
  #cancel = () => {};

  constructor(parts: LeaseParts) {
    this.#parts = parts;
    this.#plan();
  }

  /** Ends the renewals. */
  end(): void {
    this.#isEnded = true;
    this.#cancel();
  }

  #plan(): void {
    const { clock, leaseMs } = this.#parts;
    if (!this.#isEnded) this.#cancel = clock.after(leaseMs / 4, () => void this.#renew());
  }

  async #renew(): Promise<void> {
    const { name, log, renew, whenOver } = this.#parts;
    try {
      if (await renew()) {
        this.#mayBeTaken = true;
        log.warn({ process: name }, "the lease was over: others may have taken sessions");
      }
      if (this.#mayBeTaken) await whenOver();
      this.#mayBeTaken = false;
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing)
        log.warn(
          { process: name, error: errorText(error) },
          "the lease cannot be renewed; it is tried again",
        );
      this.#isFailing = true;
      this.#mayBeTaken = true;
    }
    this.#plan();
  }
}
