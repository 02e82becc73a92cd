import type { ObservedEnd, ObservedRequest, ServerObserver } from "./observer.js";

/** The used part of a span of OpenTelemetry's API. */
export interface RequestSpan {
  setAttributes(attributes: Record<string, string | boolean>): unknown;
  end(): void;
}

/** The used part of a tracer of OpenTelemetry's API, as `trace.getTracer("askwire")` gives one. */
export interface RequestTracer {
  startSpan(
    name: string,
    options?: { attributes?: Record<string, string | boolean>; root?: boolean; startTime?: Date },
  ): RequestSpan;
}

/** The name of each span. OpenTelemetry's conventions have none for a question to a person. */
const SPAN = "askwire.ask";

/**
 * Makes an observer that traces each request from its opening to its end, as one of `observe` for `createServer`: a span
 * `askwire.ask` below the span that is active where the agent asks. Its attributes are the kind and the outcome, never a
 * text, a name or an id. A request of an earlier process has a span without a parent, from its opening there.
 *
 * @param tracer the tracer to use: no global one is read.
 * @throws TypeError for an object that is no tracer.
 */
export function requestSpans(
  tracer: RequestTracer,
): Required<Pick<ServerObserver, "requestOpened" | "requestSettled" | "requestLeft">> {
  if (typeof (tracer as Partial<RequestTracer> | undefined)?.startSpan !== "function")
    throw new TypeError(
      "requestSpans: expected a tracer, as trace.getTracer of @opentelemetry/api gives one",
    );
  const open = new Map<ObservedRequest, RequestSpan>();

  const begun = ({ kind, isRestored, openedAt }: ObservedRequest) =>
    tracer.startSpan(SPAN, {
      attributes: { "askwire.request.kind": kind, "askwire.request.restored": isRestored },
      ...(isRestored && { root: true, startTime: new Date(openedAt) }),
    });

  function end(request: ObservedRequest, attributes: Record<string, string | boolean>): void {
    const span = open.get(request) ?? begun(request);
    open.delete(request);
    span.setAttributes(attributes);
    span.end();
  }

  return {
    requestOpened: (request) => void open.set(request, begun(request)),
    requestSettled: (request, outcome) => end(request, outcomeAttributes(outcome)),
    requestLeft: (request) => end(request, { "askwire.request.left": true }),
  };
}

const outcomeAttributes = ({ status, reason, by }: ObservedEnd): Record<string, string> => ({
  "askwire.outcome.status": status,
  ...(reason !== undefined && { "askwire.outcome.reason": reason }),
  "askwire.outcome.by": by,
});
