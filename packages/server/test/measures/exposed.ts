/** A sample of Prometheus' text format. */
export interface ExposedSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A metric of Prometheus' text format. */
export interface ExposedMetric {
  readonly help: string;
  readonly type: string;
  readonly samples: readonly ExposedSample[];
}

const NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
const helpLine = new RegExp(`^# HELP (${NAME}) ([^\\\\]+)$`);
const typeLine = new RegExp(`^# TYPE (${NAME}) (counter|gauge|histogram)$`);
const sampleLine = new RegExp(
  `^(${NAME})(?:\\{((?:[a-z_]+="[^"\\\\]*",?)+)\\})? (\\d+(?:\\.\\d+)?(?:e[+-]\\d+)?)$`,
);

/**
 * Reads Prometheus' text format, version 0.0.4, more strictly than Prometheus does.
 *
 * @throws Error that names a line which is not of the format, or not at its place.
 */
export function exposed(text: string): Map<string, ExposedMetric> {
  if (!text.endsWith("\n")) throw new Error("the last line has no line feed");
  const metrics = new Map<string, { help: string; type: string; samples: ExposedSample[] }>();
  let last = "";
  for (const line of text.slice(0, -1).split("\n")) {
    const [, helped, help = ""] = helpLine.exec(line) ?? [];
    const [, typed, type = ""] = typeLine.exec(line) ?? [];
    const [, sampled, labels = "", value = ""] = sampleLine.exec(line) ?? [];
    const metric = metrics.get(last);
    if (helped !== undefined) {
      if (metrics.has(helped)) throw new Error(`told twice: ${line}`);
      metrics.set(helped, { help, type: "", samples: [] });
      last = helped;
    } else if (typed !== undefined && typed === last && metric?.type === "") {
      metric.type = type;
    } else if (sampled !== undefined && metric !== undefined && metric.type !== "") {
      const suffix = sampled.slice(last.length);
      const suffixes = metric.type === "histogram" ? ["_bucket", "_sum", "_count"] : [""];
      if (!sampled.startsWith(last) || !suffixes.includes(suffix)) throw new Error(`out of place: ${line}`);
      metric.samples.push({ name: sampled, labels: labelsOf(labels), value: Number(value) });
    } else {
      throw new Error(`no line of the format, or out of place: ${line}`);
    }
  }
  return metrics;
}

const labelsOf = (text: string) =>
  Object.fromEntries([...text.matchAll(/([a-z_]+)="([^"]*)"/g)].map(([, name, value]) => [name, value]));

/** The value of the sample with these labels. @throws Error where there is none. */
export function sampleValue(
  text: string,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number {
  const samples = [...exposed(text).values()].flatMap((metric) => metric.samples);
  const fits = (sample: ExposedSample) =>
    sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value);
  const found = samples.find(fits);
  if (found === undefined) throw new Error(`no sample ${name} ${JSON.stringify(labels)}`);
  return found.value;
}
