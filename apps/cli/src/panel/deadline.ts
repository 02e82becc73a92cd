import type { HeardDeadline } from "@askwire/protocol";
import type { Clock } from "../device/clock.js";

/** A deadline with the time when it was told. The rest counts by the local clock. */
export interface Due {
  readonly deadline: HeardDeadline;
  readonly toldAt: number;
}

export const dueFrom = (deadline: HeardDeadline | null | undefined, clock: Clock): Due | undefined =>
  deadline ? { deadline, toldAt: clock.now() } : undefined;

/** The milliseconds left. */
export const msLeft = ({ deadline, toldAt }: Due, now: number): number =>
  Math.max(0, deadline.remaining_ms - (now - toldAt));
