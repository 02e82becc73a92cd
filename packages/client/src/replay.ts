import { type Unrecognized, WireError, type WireEvent, type WireRequest } from "@askwire/protocol";

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

/** Tells a replay from what is live: by its result alone, since the wire does not mark it (P-CLI-9). */
export function replays(report: (problem: string) => void) {
  let running: ReplayHandlers | undefined;

  function show(type: string, one: () => void): void {
    try {
      one();
    } catch (error) {
      report(`replay handler: ${type}: ${error}`);
    }
  }

  // Each message waits for one microtask, and the result for none more: so what comes right after it is live again.
  return {
    isRunning: () => running !== undefined,
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
      else show(event.type, () => running?.event?.(event));
    },
    async request<A>(request: WireRequest, live: (request: WireRequest) => A): Promise<Awaited<A>> {
      await undefined;
      if (running === undefined) return await live(request);
      show(request.type, () => running?.request?.(request));
      throw new WireError("MethodNotFound", "the request was replayed");
    },
  };
}
