// The face of @askwire/server with metrics: loaded by programs that want them.
export { type ServerMetrics, type ServerMetricsOptions, serverMetrics } from "./measures/server-metrics.js";
