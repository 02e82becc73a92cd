import type { HeardAttached, Validate } from "@askwire/protocol";
import { errorText } from "@askwire/protocol/internal";
import type { HistoryHandlers } from "../contract/handlers.js";
import type { AnyEvent, Observer } from "../contract/observer.js";
import { handOver } from "../contract/replay.js";

/** The conversation so far, as this client is told it when it joins (P-XHI-4). */
export interface JoinedHistory {
  /** True from the attach until all of it has come. */
  readonly isComing: boolean;
  /** Attached: all of it follows, from the beginning, or none. */
  attached(to: HeardAttached): void;
  event(event: AnyEvent): void;
}

export function joinedHistory(
  handlers: HistoryHandlers | undefined,
  observer: Observer,
  validate: Validate,
  report: (problem: string) => void,
): JoinedHistory {
  let coming: HeardAttached | undefined;

  function attempt(what: string, act: () => void): void {
    try {
      act();
    } catch (error) {
      report(`history handler: ${what}: ${errorText(error)}`);
    }
  }

  return {
    get isComing() {
      return coming !== undefined;
    },
    attached(to) {
      coming = to.history === true ? to : undefined;
    },
    event(event) {
      if (coming !== undefined && event.type === "HistoryEnd") {
        observer.update({ plan_mode: coming.plan_mode });
        coming = undefined;
        return attempt(event.type, () => handlers?.end?.(event.payload.whole));
      }
      if (event.type === "StatusUpdate") observer.update(event.payload);
      attempt(event.type, () => handOver(event, handlers ?? {}, validate));
    },
  };
}
