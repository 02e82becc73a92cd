/** The time for which a new card takes no press, in milliseconds. Before that it was hardly seen. */
export const UNSEEN_MS = 500;

/** The time for which a pointer that has not moved since an earlier press is not taken, in milliseconds: longer than any double press. */
export const RESTING_MS = 1_000;

/**
 * Tells presses that are meant for a card from those that were meant for what was there before. Never changed: every
 * function makes a new object. All times are in milliseconds, of one monotonic clock.
 */
export interface PressGuard {
  /** The time at which the card was shown to the person, or at which they last pressed another card. */
  readonly since: number;
  /** True until the pointer moves: it rests where it pressed before. */
  readonly rests: boolean;
  /** True during quick presses whose first one counted here. */
  readonly isOwnRun: boolean;
}

/** A press of a pointer or a key. */
export interface Press {
  readonly at: number;
  /** The number of this press among quick ones at one spot, from 1, as `detail` of a click has it; 0 for a key. */
  readonly clicks: number;
}

/** A guard of a card that is shown to the person now, also of one that shows another part of itself. */
export const pressGuard = (at: number): PressGuard => ({ since: at, rests: true, isOwnRun: false });

/** The guard after the pointer has moved. */
export const pointerMoved = (guard: PressGuard): PressGuard =>
  guard.rests ? { ...guard, rests: false } : guard;

/** The time from which a press of a pointer counts. A key counts from {@link UNSEEN_MS} on. */
export const takesFrom = ({ since, rests }: PressGuard): number => since + (rests ? RESTING_MS : UNSEEN_MS);

/** Decides whether a press on the card counts, and the guard after it. The second half of another press never does. */
export function pressed(
  guard: PressGuard,
  { at, clicks }: Press,
): { readonly counts: boolean; readonly guard: PressGuard } {
  if (clicks === 0) return { counts: at >= guard.since + UNSEEN_MS, guard };
  const counts = at >= takesFrom(guard) && (clicks === 1 || guard.isOwnRun);
  return { counts, guard: { ...guard, isOwnRun: counts } };
}
