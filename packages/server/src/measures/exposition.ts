import type { Sample, SampleLabels } from "./histogram.js";

/** A metric with the text that says what it counts. */
export interface MetricFamily {
  readonly type: "counter" | "gauge" | "histogram";
  /** One line without a backslash. */
  readonly help: string;
  readonly samples: readonly Sample[];
}

/** The type of Prometheus' text format, version 0.0.4. */
export const EXPOSITION_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/**
 * Writes metrics in Prometheus' text format, version 0.0.4: for each its HELP, its TYPE and its samples. Names, labels and
 * their values come from tables, so that nothing needs an escape.
 */
export const exposition = (families: Readonly<Record<string, MetricFamily>>): string =>
  Object.entries(families)
    .flatMap(([name, { type, help, samples }]) => [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} ${type}`,
      ...samples.map(({ suffix = "", labels, value }) => `${name}${suffix}${labelText(labels)} ${value}`),
    ])
    .map((line) => `${line}\n`)
    .join("");

function labelText(labels: SampleLabels): string {
  const texts = Object.entries(labels).map(([name, value]) => `${name}="${value}"`);
  return texts.length === 0 ? "" : `{${texts.join(",")}}`;
}
