import { SERVER_VERSION } from "../runtime/version.js";
import type { MetricFamily } from "./exposition.js";
import type { Sample, SampleLabels } from "./histogram.js";

/** The process whose metrics are told, and since when they count. */
export interface OtlpSource {
  /** The attributes of the resource, such as `service.name`. */
  readonly attributes: Readonly<Record<string, string>>;
  /** The moment from which on counters count, and the present one, in milliseconds since 1970. */
  readonly sinceMs: number;
  readonly nowMs: number;
}

/** Sums grow from the start of the process, and are told whole. */
const CUMULATIVE = 2;

/**
 * Metrics as the body of `POST /v1/metrics` of OTLP 1 over HTTP with JSON, under the names and with the labels of the text
 * for Prometheus.
 */
export function otlpMetrics(families: Readonly<Record<string, MetricFamily>>, source: OtlpSource): string {
  const metrics = Object.entries(families).map(([name, family]) => ({
    name,
    description: family.help,
    unit: name.endsWith("_seconds") ? "s" : "1",
    ...pointsOf(family, source),
  }));
  const scopeMetrics = [{ scope: { name: "askwire", version: SERVER_VERSION }, metrics }];
  return JSON.stringify({
    resourceMetrics: [{ resource: { attributes: attributesOf(source.attributes) }, scopeMetrics }],
  });
}

function pointsOf({ type, samples }: MetricFamily, source: OtlpSource): object {
  const timeUnixNano = nanoseconds(source.nowMs);
  const since = { startTimeUnixNano: nanoseconds(source.sinceMs), timeUnixNano };
  const points = (times: object) =>
    samples.map(({ labels, value }) => ({ attributes: attributesOf(labels), ...times, asDouble: value }));
  const sums = { aggregationTemporality: CUMULATIVE, isMonotonic: true };
  if (type === "gauge") return { gauge: { dataPoints: points({ timeUnixNano }) } };
  if (type === "counter") return { sum: { ...sums, dataPoints: points(since) } };
  const dataPoints = histograms(samples).map((point) => ({ ...point, ...since }));
  return { histogram: { aggregationTemporality: CUMULATIVE, dataPoints } };
}

/** A point for each histogram among samples, whose buckets come in the order of their bounds, then the sum and the count. */
function histograms(samples: readonly Sample[]): object[] {
  const points: object[] = [];
  let buckets: { readonly bound: string; readonly below: number }[] = [];
  let sum = 0;
  for (const { suffix, labels, value } of samples) {
    const { le: bound, ...own } = labels;
    if (bound !== undefined) buckets.push({ bound, below: value });
    if (suffix === "_sum") sum = value;
    if (suffix !== "_count") continue;
    points.push({
      attributes: attributesOf(own),
      count: String(value),
      sum,
      bucketCounts: buckets.map(({ below }, at) => String(below - (buckets[at - 1]?.below ?? 0))),
      explicitBounds: buckets.slice(0, -1).map(({ bound: text }) => Number(text)),
    });
    buckets = [];
  }
  return points;
}

const attributesOf = (labels: SampleLabels): object[] =>
  Object.entries(labels).map(([key, stringValue]) => ({ key, value: { stringValue } }));

/** JSON has 64-bit numbers as text. */
const nanoseconds = (ms: number): string => `${BigInt(Math.round(ms)) * 1_000_000n}`;
