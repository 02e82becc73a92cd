import { UNSEEN_MS } from "@askwire/client/form";
import type { Clock } from "../device/clock.js";

/** Keeps keys meant for another place from answering a panel that came in between. */
export interface Guard {
  /** The time for which a panel that opens now takes no keys, in milliseconds. */
  keysOff(): number;
  /** The quiet time left until another panel may replace this one, in milliseconds. */
  untilQuiet(): number;
  /** Notes a key in a panel. */
  pressed(): void;
}

/** The quiet time before a panel gives way to another, in milliseconds. */
const QUIET_MS = 1_000;

/** The longest time between the two halves of a double press, in milliseconds. */
export const DOUBLE_MS = 650;

/**
 * Makes a guard.
 *
 * @param lastKeyAt the time of the last key outside of panels, by the same clock.
 */
export function createGuard(clock: Clock, lastKeyAt: () => number): Guard {
  let lastPressed = Number.NEGATIVE_INFINITY;
  return {
    keysOff: () => Math.max(UNSEEN_MS, lastPressed + DOUBLE_MS - clock.now()),
    untilQuiet: () => Math.max(0, QUIET_MS - (clock.now() - Math.max(lastPressed, lastKeyAt()))),
    pressed() {
      lastPressed = clock.now();
    },
  };
}

/** The guard for a person who started the command, where no panel is unexpected. */
export const noGuard: Guard = { keysOff: () => 0, untilQuiet: () => 0, pressed() {} };
