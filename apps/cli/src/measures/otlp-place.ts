import { usageFailure } from "../input/failure.js";

/** The collector that metrics are sent to, and the way there, by `--otlp` and OpenTelemetry's own variables. */
export interface OtlpPlace {
  /** The address for metrics: that of `--otlp` with `/v1/metrics`. */
  readonly url: string;
  /** The headers of each request, by `OTEL_EXPORTER_OTLP_HEADERS`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The attributes of the resource, by `OTEL_RESOURCE_ATTRIBUTES` and `OTEL_SERVICE_NAME`. */
  readonly attributes: Readonly<Record<string, string>>;
  /** The time between two sends, in milliseconds, by `OTEL_METRIC_EXPORT_INTERVAL`. Default: 60,000. */
  readonly everyMs: number;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/**
 * Reads where metrics go.
 *
 * @throws Failure that names the option or the variable, and shows no header.
 */
export function otlpPlace(text: string, env: NodeJS.ProcessEnv): OtlpPlace {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (
    url === undefined ||
    !["http:", "https:"].includes(url.protocol) ||
    url.search !== "" ||
    url.hash !== ""
  )
    throw usageFailure(`--otlp: expected the address of a collector, such as http://127.0.0.1:4318`);
  if (url.username !== "" || url.password !== "")
    throw usageFailure(
      "--otlp: an address with a password shows it to everybody on this machine: put it into OTEL_EXPORTER_OTLP_HEADERS",
    );
  const given = Object.entries(pairs("OTEL_EXPORTER_OTLP_HEADERS", env));
  const headers = Object.fromEntries(given.map(([name, value]) => [name.toLowerCase(), value]));
  for (const [name, value] of Object.entries(headers))
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || /[^\t\x20-\x7e\x80-\xff]/.test(value))
      throw usageFailure(
        "OTEL_EXPORTER_OTLP_HEADERS: expected names and values that headers of HTTP can have",
      );
  return {
    url: `${url.origin}${url.pathname.replace(/\/+$/, "").replace(/\/v1\/metrics$/, "")}/v1/metrics`,
    headers,
    attributes: {
      "service.name": "askwire",
      ...pairs("OTEL_RESOURCE_ATTRIBUTES", env),
      ...(env.OTEL_SERVICE_NAME ? { "service.name": env.OTEL_SERVICE_NAME } : {}),
    },
    everyMs: interval(env),
  };
}

/** The pairs of a variable, as `key=value,key=value` with percent signs for what would part them. */
function pairs(name: string, env: NodeJS.ProcessEnv): Record<string, string> {
  const text = (env[name] ?? "").trim();
  if (text === "") return {};
  return Object.fromEntries(
    text.split(",").map((pair) => {
      const at = pair.indexOf("=");
      const value = at < 1 ? undefined : decoded(pair.slice(at + 1).trim());
      if (value === undefined) throw usageFailure(`${name}: expected KEY=VALUE, with commas between`);
      return [pair.slice(0, at).trim(), value];
    }),
  );
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function interval(env: NodeJS.ProcessEnv): number {
  const text = env.OTEL_METRIC_EXPORT_INTERVAL;
  if (text === undefined || text === "") return MINUTE_MS;
  const ms = /^\d+$/.test(text) ? Number(text) : 0;
  if (ms < 1 || ms > DAY_MS)
    throw usageFailure(`OTEL_METRIC_EXPORT_INTERVAL: expected 1 to ${DAY_MS} milliseconds`);
  return ms;
}
