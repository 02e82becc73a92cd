import { randomUUID } from "node:crypto";
import { errorText } from "@askwire/protocol/internal";
import type { Clock } from "@askwire/server";
import type { ServerMetrics } from "@askwire/server/metrics";
import type { OtlpPlace } from "./otlp-place.js";

/** The time for a collector to answer, in milliseconds; and at the end of the process. */
const ANSWER_MS = 10_000;
const LAST_ANSWER_MS = 2_000;

export interface OtlpSenderOptions {
  readonly metrics: Pick<ServerMetrics, "otlp">;
  readonly clock: Pick<Clock, "after">;
  /** Tells a person that the collector does not take the metrics, and that it takes them again. */
  readonly tell: (line: string) => void;
}

/** Sends metrics to a collector of OTLP at intervals, one request at a time, and once more at the end. */
export class OtlpSender {
  readonly #place: OtlpPlace;
  readonly #options: OtlpSenderOptions;
  readonly #attributes: Readonly<Record<string, string>>;
  #cancel: () => void;
  #isFailing = false;
  #sending: Promise<void> | undefined;
  readonly #end = new AbortController();

  constructor(place: OtlpPlace, options: OtlpSenderOptions) {
    this.#place = place;
    this.#options = options;
    // Several processes of one service are told apart by it.
    this.#attributes = { "service.instance.id": randomUUID(), ...place.attributes };
    this.#cancel = this.#next();
  }

  /** Sends the last numbers, and ends. Takes two seconds at most. Never rejects. */
  async close(): Promise<void> {
    this.#cancel();
    this.#end.abort();
    await this.#sending;
    await this.#send(AbortSignal.timeout(LAST_ANSWER_MS), true);
  }

  #next(): () => void {
    return this.#options.clock.after(this.#place.everyMs, () => {
      const signal = AbortSignal.any([this.#end.signal, AbortSignal.timeout(ANSWER_MS)]);
      // A collector that is slow is asked again at the next interval.
      this.#sending ??= this.#send(signal).finally(() => {
        this.#sending = undefined;
      });
      this.#cancel = this.#next();
    });
  }

  async #send(signal: AbortSignal, isLast = false): Promise<void> {
    const { url, headers } = this.#place;
    try {
      const reply = await fetch(url, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: this.#options.metrics.otlp(this.#attributes),
        // A collector elsewhere would be sent the headers of this one.
        redirect: "error",
        signal,
      });
      await reply.body?.cancel();
      this.#told(reply.ok ? undefined : `it answered with ${reply.status}`);
    } catch (error) {
      // Given up for the last one.
      if (!isLast && this.#end.signal.aborted) return;
      this.#told(signal.aborted ? "it did not answer in time" : reasonOf(error));
    }
  }

  #told(problem: string | undefined): void {
    const isFailing = problem !== undefined;
    if (isFailing === this.#isFailing) return;
    this.#isFailing = isFailing;
    const { url } = this.#place;
    this.#options.tell(
      isFailing
        ? `--otlp ${url}: ${problem}; tried again at each interval`
        : `--otlp ${url}: it takes the metrics again`,
    );
  }
}

/** The reason below the "fetch failed" of Node. */
function reasonOf(error: unknown): string {
  const { cause } = error as { readonly cause?: unknown };
  return errorText(cause instanceof AggregateError ? cause.errors[0] : (cause ?? error));
}
