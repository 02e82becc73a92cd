import type { Clock } from "../device/clock.js";

/** Keeps keys that were meant for something else from answering a panel that came in between. */
export interface Guard {
  /** How long a panel that opens takes no keys, in milliseconds. */
  readonly keysOff: number;
  /** How long nothing is to be pressed still before another panel may take the place of this one, in milliseconds. */
  untilQuiet(): number;
  /** Told of a key in a panel. */
  pressed(): void;
}

/** How long a panel that nobody asked for takes no keys: until then it was hardly seen. */
export const KEYS_OFF_MS = 500;
/** How long nothing is pressed before a panel gives way to another. */
const QUIET_MS = 1_000;

/** @param lastKeyAt when a key was pressed outside of panels, by the same clock. */
export function createGuard(clock: Clock, lastKeyAt: () => number): Guard {
  let lastPressed = Number.NEGATIVE_INFINITY;
  return {
    keysOff: KEYS_OFF_MS,
    untilQuiet: () => Math.max(0, QUIET_MS - (clock.now() - Math.max(lastPressed, lastKeyAt()))),
    pressed() {
      lastPressed = clock.now();
    },
  };
}

/** Where the person started it all: nothing comes unexpected. */
export const noGuard: Guard = { keysOff: 0, untilQuiet: () => 0, pressed() {} };
