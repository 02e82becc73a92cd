import type { Clock } from "@askwire/server";

/** The time that a call has left, which stands still while a person is asked. */
export interface CallPatience {
  /** Starts the time anew, at a sign of progress. */
  heard(): void;
  /** Stops the time until the returned function is called. */
  hold(): () => void;
  end(): void;
}

/** @param expired called once the server has said nothing for so long. */
export function callPatience(ms: number, clock: Clock, expired: () => void): CallPatience {
  let held = 0;
  let cancel: (() => void) | undefined = clock.after(ms, expired);
  const stop = () => {
    cancel?.();
    cancel = undefined;
  };
  let ended = false;
  const start = () => {
    stop();
    if (held === 0 && !ended) cancel = clock.after(ms, expired);
  };
  return {
    heard: start,
    hold() {
      held += 1;
      stop();
      return () => {
        held -= 1;
        start();
      };
    },
    end() {
      ended = true;
      stop();
    },
  };
}
