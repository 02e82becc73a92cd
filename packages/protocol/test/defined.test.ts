import { expect, expectTypeOf, test } from "vitest";
import { defined } from "../src/internal.js";

test("undefined members are left out, and every other value keeps its place", () => {
  const members = { note: undefined, text: "", count: 0, flag: false, late: undefined, none: null };
  expect(JSON.stringify(defined(members))).toBe('{"text":"","count":0,"flag":false,"none":null}');
  expect(Object.keys(defined(members))).not.toContain("note");
});

test("an object that undefined members are left out of is itself unchanged", () => {
  const members = { note: undefined };
  expect(defined(members)).toStrictEqual({});
  expect(members).toStrictEqual({ note: undefined });
});

test("members that may be undefined become optional, and no others", () => {
  const members = { id: "1", note: undefined as string | undefined, none: null as null | undefined };
  expectTypeOf({ ...defined(members) }).toEqualTypeOf<{ id: string; note?: string; none?: null }>();
  // @ts-expect-error: the note may be absent.
  expectTypeOf(defined(members).note).toEqualTypeOf<string>();
});
