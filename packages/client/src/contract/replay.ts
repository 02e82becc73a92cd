import {
  requests,
  type Unrecognized,
  type Validate,
  type WireEvent,
  type WireRequest,
  type Word,
} from "@askwire/protocol";
import { errorText, notSupported } from "@askwire/protocol/internal";

/** The receiver of a replay. Messages without a handler are counted too. */
export interface ReplayHandlers {
  /** Receives every recorded event, oldest first, also those not recognized. */
  event?(event: WireEvent | Unrecognized): void;
  /** Receives a recorded request as it was shown. A replayed request cannot be answered. */
  request?(request: WireRequest): void;
}

/** The end of a replay, with the number of messages sent. */
export interface ReplayResult {
  /** `cancelled` if `cancel` ended the replay early. */
  readonly status: Word<"finished" | "cancelled">;
  /** The number of events sent. */
  readonly events: number;
  /** The number of requests sent. */
  readonly requests: number;
}

type AnyEvent = WireEvent | Unrecognized;

/** Tells a replay from live messages. The base wire does not mark replays, so the result alone ends one (P-CLI-9). */
export function replays(report: (problem: string) => void) {
  let running: ReplayHandlers | undefined;

  /** Shows one message, if a replay is running. */
  function show(type: string, one: (to: ReplayHandlers) => void): void {
    if (running === undefined) return;
    try {
      one(running);
    } catch (error) {
      report(`replay handler: ${type}: ${errorText(error)}`);
    }
  }

  // Each message waits for one microtask and the result for none. A message right after the result is therefore live.
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

/** Hands over one message that the extended profile marks as replayed; a request comes as an event (P-XRP-1). */
export function handOver(event: AnyEvent, to: ReplayHandlers, validate: Validate): void {
  const request = event.type === "unrecognized" ? requestOf(event.payload, validate) : undefined;
  if (request === undefined) to.event?.(event);
  else to.request?.(request);
}

/** Handles replays of the extended profile, which marks each message and sends requests as events (P-XRP-1). */
export function markedReplays(report: (problem: string) => void, validate: Validate) {
  const { run, isRunning, show } = replays(report);
  return {
    isRunning,
    run,
    event: (event: AnyEvent): void => show(event.type, (to) => handOver(event, to, validate)),
  };
}

export type MarkedReplays = ReturnType<typeof markedReplays>;

function requestOf({ type, payload }: Unrecognized["payload"], validate: Validate): WireRequest | undefined {
  if (!Object.hasOwn(requests, type)) return undefined;
  const parsed = validate(requests[type as WireRequest["type"]].payload, payload);
  return parsed.ok ? ({ type, payload: parsed.value } as WireRequest) : undefined;
}
