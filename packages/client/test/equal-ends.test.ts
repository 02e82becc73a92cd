import { equalEnds } from "@askwire/client/text";
import { expect, test } from "vitest";

test.each([
  ["of equal texts belong to the beginning", "a b", "a b", { head: 2, tail: 0 }],
  ["around a change are counted at both ends", "a b c d", "a x d", { head: 1, tail: 1 }],
  ["that are repeated count once", "a a", "a a a", { head: 2, tail: 0 }],
  ["of an empty text are none", "", "a", { head: 0, tail: 0 }],
] as const)("equal lines %s", (_what, old, now, ends) => {
  expect(equalEnds(old.split(" ").filter(Boolean), now.split(" ").filter(Boolean))).toEqual(ends);
});
