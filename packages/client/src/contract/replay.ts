import {
  requests,
  type Unrecognized,
  type Validate,
  type WireEvent,
  type WireRequest,
} from "@askwire/protocol";
import { notSupported } from "@askwire/protocol/internal";

/** Where a replay goes. What has no handler is counted all the same. */
export interface ReplayHandlers {
  /** Sees every recorded event, oldest first, also those that are not recognized. */
  event?(event: WireEvent | Unrecognized): void;
  /** Shown as it was; it cannot be answered any more. */
  request?(request: WireRequest): void;
}

/** How a replay ended, and how much of it was sent. */
export interface ReplayResult {
  /** `cancelled` where `cancel` ended it early. */
  readonly status: "finished" | "cancelled";
  /** How many events were sent. */
  readonly events: number;
  /** How many requests were sent. */
  readonly requests: number;
}

type AnyEvent = WireEvent | Unrecognized;

/** Tells a replay from what is live: by its result alone, since the base wire does not mark it (P-CLI-9). */
export function replays(report: (problem: string) => void) {
  let running: ReplayHandlers | undefined;

  /** Shows one message, if a replay is running. */
  function show(type: string, one: (to: ReplayHandlers) => void): void {
    if (running === undefined) return;
    try {
      one(running);
    } catch (error) {
      report(`replay handler: ${type}: ${error}`);
    }
  }

  // Each message waits for one microtask, and the result for none more: so what comes right after it is live again.
  return {
    isRunning: () => running !== undefined,
    show,
    run<R>(handlers: ReplayHandlers, result: Promise<R>): Promise<R> {
      running = handlers;
      const end = () => {
        running = undefined;
      };
      result.then(end, end);
      return result;
    },
    async event(event: AnyEvent, live: (event: AnyEvent) => void): Promise<void> {
      await undefined;
      if (running === undefined) live(event);
      else show(event.type, (to) => to.event?.(event));
    },
    async request<A>(request: WireRequest, live: (request: WireRequest) => A): Promise<Awaited<A>> {
      await undefined;
      if (running === undefined) return await live(request);
      show(request.type, (to) => to.request?.(request));
      throw notSupported(request.type, "replayed", "the request was replayed");
    },
  };
}

/** The same where every message of a replay says that it is one, and requests come as events (P-XRP-1). */
export function markedReplays(report: (problem: string) => void, validate: Validate) {
  const { run, isRunning, show } = replays(report);
  return {
    isRunning,
    run,
    event(event: AnyEvent): void {
      const request = event.type === "unrecognized" ? requestOf(event.payload, validate) : undefined;
      if (request === undefined) show(event.type, (to) => to.event?.(event));
      else show(request.type, (to) => to.request?.(request));
    },
  };
}

function requestOf({ type, payload }: Unrecognized["payload"], validate: Validate): WireRequest | undefined {
  if (!Object.hasOwn(requests, type)) return undefined;
  const parsed = validate(requests[type as WireRequest["type"]].payload, payload);
  return parsed.ok ? ({ type, payload: parsed.value } as WireRequest) : undefined;
}
