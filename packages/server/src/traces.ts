// The face of @askwire/server with traces, for any tracer of OpenTelemetry's API.
export { type RequestSpan, type RequestTracer, requestSpans } from "./measures/request-spans.js";
