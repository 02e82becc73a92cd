import type { Deadline } from "@askwire/protocol";
import type { Clock } from "../device/clock.js";

/** A deadline, and when it was told: how long is left then counts by the clock here. */
export interface Due {
  readonly deadline: Deadline;
  readonly toldAt: number;
}

export const dueFrom = (deadline: Deadline | null | undefined, clock: Clock): Due | undefined =>
  deadline ? { deadline, toldAt: clock.now() } : undefined;

/** Milliseconds that are left. */
export const msLeft = ({ deadline, toldAt }: Due, now: number): number =>
  Math.max(0, deadline.remaining_ms - (now - toldAt));
