import type { CardWords } from "@askwire/client/words";
import type { HeardDeadline } from "@askwire/protocol";
import { type ReactNode, useEffect, useState } from "react";

/** The seconds left at which a screen reader is told. */
const told = [60, 20];

/** The time for an answer as it runs, or that it stands still once the deadline was removed. */
export function TimeLeft({
  deadline,
  since,
  hasBegun,
  words,
}: {
  readonly deadline: HeardDeadline | null;
  readonly since: number | undefined;
  /** True once this person has acted. Others may have taken the deadline away as well. */
  readonly hasBegun: boolean;
  readonly words: CardWords;
}): ReactNode {
  const seconds = useSecondsLeft(deadline, since);
  const near = told.find((at) => seconds !== undefined && seconds <= at && seconds > at - 5);
  // A screen reader is told once of each: the shown time then stops counting.
  const [last, setLast] = useState<{ readonly near: number | undefined; readonly seconds: number }>();
  if (near !== last?.near) setLast({ near, seconds: seconds ?? 0 });
  if (deadline === null || seconds === undefined)
    return <p role="status">{hasBegun ? words.noTimeLimit : words.timeStands}</p>;
  const { on_expiry } = deadline;
  const then = Object.hasOwn(words.onExpiry, on_expiry) ? words.onExpiry[on_expiry as "cancel"] : on_expiry;
  const text = (left: number) => `${words.secondsLeft(left)}, ${then}`;
  return (
    <>
      <p className="askwire-time" role="timer" aria-live="off">
        {text(seconds)}
      </p>
      <p className="askwire-unseen" role="status">
        {near === undefined || last === undefined ? "" : text(last.seconds)}
      </p>
    </>
  );
}

/**
 * The seconds left, counted from when the deadline came, since clocks differ. Undefined without a deadline.
 *
 * @param since the time at which the deadline came, on the clock of `performance.now()`. Default: when it is first
 * shown.
 */
export function useSecondsLeft(deadline: HeardDeadline | null, since?: number): number | undefined {
  const [state, setState] = useState(() => ({ deadline, since: performance.now(), now: performance.now() }));
  if (state.deadline !== deadline) {
    setState({ deadline, since: performance.now(), now: performance.now() });
  }
  useEffect(() => {
    if (deadline === null) return;
    const timer = setInterval(() => setState((before) => ({ ...before, now: performance.now() })), 1_000);
    return () => clearInterval(timer);
  }, [deadline]);
  if (deadline === null) return undefined;
  return Math.max(0, Math.ceil((deadline.remaining_ms - (state.now - (since ?? state.since))) / 1_000));
}
