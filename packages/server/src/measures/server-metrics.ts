import { outcomeReasons } from "@askwire/protocol";
import { checkOptions, type OptionRules, option } from "@askwire/protocol/internal";
import { type Clock, systemClock } from "../runtime/clock.js";
import { EXPOSITION_TYPE, exposition, type MetricFamily } from "./exposition.js";
import { Histogram, type Sample } from "./histogram.js";
import {
  type ObservedCommit,
  type ObservedEnd,
  type ObservedRequest,
  type ObservedSession,
  observedKinds,
  type ServerObserver,
} from "./observer.js";
import { otlpMetrics } from "./otlp-metrics.js";

/** Metrics of a server: an observer of it, and their text for Prometheus. */
export interface ServerMetrics extends Required<ServerObserver> {
  /** The metrics as they are now, in Prometheus' text format, version 0.0.4. */
  text(): string;
  /** The `Content-Type` of that text. */
  readonly contentType: string;
  /**
   * The metrics as they are now, as the body of a `POST` to `/v1/metrics` of an OTLP collector, with `Content-Type:
   * application/json`.
   *
   * @param attributes those of the resource, such as `service.name` and `service.instance.id`.
   */
  otlp(attributes: Readonly<Record<string, string>>): string;
}

/** The parts of {@link serverMetrics}. */
export interface ServerMetricsOptions {
  /** The clock of the server that is observed, by which the oldest open request is told. Default: the system's. */
  readonly clock?: Clock;
}

const metricsRules: OptionRules<ServerMetricsOptions> = { clock: option.object };

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Bounds for the time that people take, in seconds. */
const WAIT_BOUNDS = [
  ...[1, 5, 15, 30],
  ...[MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE],
  ...[HOUR, 4 * HOUR, 8 * HOUR, 24 * HOUR],
];
/** Bounds for the time of a commit, in seconds: from a disk to a database that fails over. */
const COMMIT_BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** Bounds for the records of a commit. */
const BATCH_BOUNDS = [1, 2, 5, 10, 20, 50, 100, 200, 500];

const commitResults: readonly ObservedCommit["result"][] = ["kept", "fenced", "lost"];
const knownReasons: ReadonlySet<string> = new Set(Object.values(outcomeReasons).flat());

const perKind = <T>(make: () => T) =>
  Object.fromEntries(observedKinds.map((kind) => [kind, make()])) as Record<ObservedRequest["kind"], T>;

/**
 * Makes metrics of a server, or of several that are observed together: give the object as one of `observe` to
 * `createServer`, and send `text()` to Prometheus. Labels have values of fixed tables alone, never an id or a text.
 *
 * @throws TypeError if an option is unknown or does not fit.
 */
export function serverMetrics(options: ServerMetricsOptions = {}): ServerMetrics {
  checkOptions("serverMetrics", options, metricsRules);
  const { clock = systemClock } = options;
  const counts = new Counts();
  const sinceMs = clock.now();
  return {
    requestOpened: (request) => counts.opened(request),
    requestSettled: (request, end) => counts.settled(request, end),
    requestLeft: (request) => counts.left(request),
    sessionOpened: (session) => void counts.sessions.add(session),
    sessionClosed: (session) => void counts.sessions.delete(session),
    committed: (commit) => counts.committed(commit),
    text: () => exposition(counts.families(clock.now())),
    contentType: EXPOSITION_TYPE,
    otlp(attributes) {
      const nowMs = clock.now();
      return otlpMetrics(counts.families(nowMs), { attributes, sinceMs: Math.min(sinceMs, nowMs), nowMs });
    },
  };
}

class Counts {
  readonly sessions = new Set<ObservedSession>();
  readonly #open = new Set<ObservedRequest>();
  readonly #openedCount = perKind(() => ({ value: 0 }));
  readonly #waits = perKind(() => new Histogram(WAIT_BOUNDS));
  /** By status, reason and cause: values of tables, so that there are few. */
  readonly #outcomes = new Map<
    string,
    { readonly labels: Readonly<Record<string, string>>; value: number }
  >();
  readonly #commits = new Histogram(COMMIT_BOUNDS);
  readonly #batches = new Histogram(BATCH_BOUNDS);
  readonly #commitResults = { kept: 0, fenced: 0, lost: 0 };

  opened(request: ObservedRequest): void {
    this.#open.add(request);
    if (!request.isRestored) this.#openedCount[request.kind].value += 1;
  }

  settled(request: ObservedRequest, { status, reason, by, waitedMs }: ObservedEnd): void {
    this.#open.delete(request);
    if (waitedMs !== undefined) this.#waits[request.kind].add(waitedMs / 1_000);
    const known = reason === undefined || knownReasons.has(reason) ? (reason ?? "") : "other";
    const labels = { status, reason: known, by };
    const key = Object.values(labels).join(" ");
    const outcome = this.#outcomes.get(key) ?? { labels, value: 0 };
    outcome.value += 1;
    this.#outcomes.set(key, outcome);
  }

  left(request: ObservedRequest): void {
    this.#open.delete(request);
  }

  committed({ tookMs, records, result }: ObservedCommit): void {
    this.#commitResults[result] += 1;
    if (result !== "kept") return;
    this.#commits.add(tookMs / 1_000);
    this.#batches.add(records);
  }

  families(now: number): Record<string, MetricFamily> {
    return { ...this.#ofRequests(now), ...this.#ofSessions() };
  }

  #ofRequests(now: number): Record<string, MetricFamily> {
    const open = perKind(() => ({ count: 0, oldest: now }));
    for (const { kind, openedAt } of this.#open) {
      open[kind].count += 1;
      open[kind].oldest = Math.min(open[kind].oldest, openedAt);
    }
    return {
      askwire_requests_open: gauge(
        "Requests that are open now.",
        observedKinds.map((kind) => ({ labels: { kind }, value: open[kind].count })),
      ),
      askwire_request_oldest_seconds: gauge(
        "The time that the oldest open request has waited, in seconds; 0 where none is open.",
        observedKinds.map((kind) => ({ labels: { kind }, value: (now - open[kind].oldest) / 1_000 })),
      ),
      askwire_requests_opened_total: counter(
        "Requests that were opened, without those that an earlier process had opened.",
        observedKinds.map((kind) => ({ labels: { kind }, value: this.#openedCount[kind].value })),
      ),
      askwire_request_outcomes_total: counter(
        "Requests that have ended, also those that ended before anybody was asked.",
        [...this.#outcomes.values()],
      ),
      askwire_request_wait_seconds: {
        type: "histogram",
        help: "The time from the opening of a request to its end, in seconds.",
        samples: observedKinds.flatMap((kind) => this.#waits[kind].samples({ kind })),
      },
    };
  }

  #ofSessions(): Record<string, MetricFamily> {
    const states = { idle: 0, running: 0, waiting: 0 };
    for (const { state } of this.sessions) states[state] += 1;
    return {
      askwire_sessions: gauge(
        "Sessions that are in memory now.",
        Object.entries(states).map(([state, value]) => ({ labels: { state }, value })),
      ),
      askwire_commits_total: counter(
        "Commits of records to the disk or the store: kept, refused since another process has the session, or lost.",
        commitResults.map((result) => ({ labels: { result }, value: this.#commitResults[result] })),
      ),
      askwire_commit_seconds: {
        type: "histogram",
        help: "The time of a commit that was kept, with all its attempts, in seconds.",
        samples: this.#commits.samples({}),
      },
      askwire_commit_batch: {
        type: "histogram",
        help: "The records of one commit that was kept.",
        samples: this.#batches.samples({}),
      },
    };
  }
}

const gauge = (help: string, samples: readonly Sample[]): MetricFamily => ({ type: "gauge", help, samples });
const counter = (help: string, samples: readonly Sample[]): MetricFamily => ({
  type: "counter",
  help,
  samples,
});
