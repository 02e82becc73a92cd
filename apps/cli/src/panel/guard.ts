import type { Clock } from "./clock.js";

/** Keeps keys that were meant for something else from answering a panel that came in between. */
export interface Guard {
  /** How long a panel that opens now takes no keys, in milliseconds. */
  keysOff(): number;
  /** How long nothing is to be pressed still before another panel may take the place of this one. */
  untilQuiet(): number;
  /** Told of a key in a panel. */
  pressed(): void;
  /** Told that a panel went away. */
  closed(): void;
}

/** A panel that opens so soon after a key, or after another panel, is likely not yet seen. */
const JUST_NOW_MS = 2_000;
/** How long it takes no keys then. */
const KEYS_OFF_MS = 500;
/** How long nothing is pressed before a panel gives way to another. */
const QUIET_MS = 1_000;

/** @param lastKeyAt when a key was pressed outside of panels, by the same clock. */
export function createGuard(clock: Clock, lastKeyAt: () => number): Guard {
  let lastPressed = Number.NEGATIVE_INFINITY;
  let lastClosed = Number.NEGATIVE_INFINITY;
  const lastKey = () => Math.max(lastPressed, lastKeyAt());
  return {
    keysOff: () => (clock.now() - Math.max(lastKey(), lastClosed) < JUST_NOW_MS ? KEYS_OFF_MS : 0),
    untilQuiet: () => Math.max(0, QUIET_MS - (clock.now() - lastKey())),
    pressed() {
      lastPressed = clock.now();
    },
    closed() {
      lastClosed = clock.now();
    },
  };
}

/** Where the person started it all: nothing comes unexpected. */
export const noGuard: Guard = { keysOff: () => 0, untilQuiet: () => 0, pressed() {}, closed() {} };
