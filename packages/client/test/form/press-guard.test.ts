import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type PressGuard,
  pointerMoved,
  pressed,
  pressGuard,
  takesFrom,
  UNSEEN_MS,
} from "../../src/form/index.js";

const click = (at: number, clicks = 1) => ({ at, clicks });

describe("a press for a card", () => {
  test.each<[string, PressGuard, { at: number; clicks: number }, boolean]>([
    ["in the first half second", pointerMoved(pressGuard(0)), click(499), false],
    ["after it", pointerMoved(pressGuard(0)), click(500), true],
    ["by a pointer that rests where it was, within a second", pressGuard(0), click(999), false],
    ["by a pointer that rests, after a second", pressGuard(0), click(1_000), true],
    ["by a key in the first half second", pressGuard(0), click(499, 0), false],
    ["by a key after it", pressGuard(0), click(500, 0), true],
    ["as the second of two whose first fell elsewhere", pointerMoved(pressGuard(0)), click(2_000, 2), false],
  ])("a press counts for the card that it was meant for: %s", (_what, guard, press, counts) => {
    expect(pressed(guard, press).counts).toBe(counts);
  });

  test("the second half of a press that came too early does not count, and a press after a pause does", () => {
    const early = pressed(pointerMoved(pressGuard(0)), click(450));
    const second = pressed(early.guard, click(600, 2));
    expect([early.counts, second.counts]).toEqual([false, false]);
    expect(pressed(second.guard, click(1_200)).counts).toBe(true);
  });

  test("quick presses that began here count, as those on a checkbox do", () => {
    const first = pressed(pressGuard(0), click(1_000));
    expect(pressed(first.guard, click(1_100, 2)).counts).toBe(true);
  });

  test("the second half of a double press on another card never counts, however quick and whenever the card came", () => {
    const pauses = fc.integer({ min: 30, max: 600 });
    fc.assert(
      fc.property(
        pauses,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.boolean(),
        (pause, share, isCounted) => {
          const press = click(pause, isCounted ? 2 : 1);
          expect(pressed(pressGuard(share * pause), press).counts).toBe(false);
        },
      ),
    );
  });

  test("a card says from which moment on it takes presses", () => {
    expect(takesFrom(pressGuard(7))).toBe(1_007);
    expect(takesFrom(pointerMoved(pressGuard(7)))).toBe(7 + UNSEEN_MS);
  });
});
