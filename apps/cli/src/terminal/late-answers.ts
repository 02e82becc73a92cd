import { RequestSettled } from "@askwire/client";

/**
 * The answers given here, to tell which of them came too late: another one counted, as the server's reply says, or its
 * first words after a lost connection.
 */
export class LateAnswers {
  /** The signals of requests whose answer is given, as far as this client knows. */
  readonly #given = new WeakSet<AbortSignal>();

  /** Notes that a request is asked, perhaps once more. */
  asked(signal: AbortSignal): void {
    this.#given.delete(signal);
  }

  /** Notes that a request is answered. `late` is called if that answer does not count. */
  answered(signal: AbortSignal, late: (settled: RequestSettled) => void): void {
    this.#given.add(signal);
    const ended = () => {
      const { reason } = signal;
      if (this.#given.delete(signal) && reason instanceof RequestSettled && reason.outcome) late(reason);
    };
    signal.addEventListener("abort", ended, { once: true });
  }
}
