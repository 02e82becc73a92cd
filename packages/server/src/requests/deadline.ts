import { deadlineExpiries, type Deadline as WireDeadline } from "@askwire/protocol";
import { type OptionRules, option } from "@askwire/protocol/internal";
import type { Clock } from "../runtime/clock.js";

/** By when a question is to be answered, as an agent says it. */
export interface DeadlineInit {
  /** The person's time, in milliseconds, from 1 to 2,147,483,647. */
  readonly ms: number;
  /** The answer that counts after the deadline: none, or the shown defaults (P-XDL-2). */
  readonly on_expiry: WireDeadline["on_expiry"];
}

/** The rules for {@link DeadlineInit}, whose values {@link Deadline} reads. */
export const deadlineRules: OptionRules<DeadlineInit> = { ms: option.any, on_expiry: option.any };

/** The most that a timer of the runtime can wait. */
const MOST_MS = 2 ** 31 - 1;

/** A person's time for one question. The clock runs, stands still while somebody answers, and may start anew. */
export class Deadline {
  readonly ms: number;
  readonly onExpiry: WireDeadline["on_expiry"];
  #running: { readonly clock: Clock; readonly endsAt: number; readonly cancel: () => void } | undefined;

  /** @throws TypeError if the time or the end is invalid. */
  constructor({ ms, on_expiry }: DeadlineInit) {
    if (typeof ms !== "number" || !(ms >= 1 && ms <= MOST_MS)) {
      throw new TypeError(`deadline.ms: expected 1 to ${MOST_MS} milliseconds`);
    }
    if (!deadlineExpiries.includes(on_expiry)) {
      throw new TypeError(`deadline.on_expiry: expected ${deadlineExpiries.join(" or ")}`);
    }
    this.ms = ms;
    this.onExpiry = on_expiry;
  }

  /**
   * Runs from now on.
   *
   * @param ms the time that is left. Default: all of it.
   */
  start(clock: Clock, expired: () => void, ms: number = this.ms): void {
    this.stop();
    const cancel = clock.after(ms, expired);
    this.#running = { clock, endsAt: clock.elapsed() + ms, cancel };
  }

  stop(): void {
    this.#running?.cancel();
    this.#running = undefined;
  }

  /** The deadline's form on the wire at this moment; undefined while the clock stands still. */
  get wire(): WireDeadline | undefined {
    if (this.#running === undefined) return undefined;
    const { clock, endsAt } = this.#running;
    const remaining_ms = Math.max(0, Math.round(endsAt - clock.elapsed()));
    return { at: new Date(clock.now() + remaining_ms).toISOString(), remaining_ms, on_expiry: this.onExpiry };
  }
}
