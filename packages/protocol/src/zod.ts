// The part of zod that our schemas are made of, for this package and those that import its `internal`: so Node loads
// the library once. Kinds without parameters are one schema each, also that of the other fields of a loose object:
// 363 schemas instead of 699, each of which takes a start some 15 µs.
import * as zod from "zod/mini";

export type { core, input, output } from "zod/mini";
export {
  _default,
  array,
  catchall,
  check,
  coerce,
  describe,
  discriminatedUnion,
  enum,
  literal,
  maximum,
  maxLength,
  minimum,
  minLength,
  nullable,
  object,
  optional,
  overwrite,
  pipe,
  record,
  refine,
  safeParse,
  strictObject,
  transform,
  union,
  ZodMiniCatch,
  ZodMiniType,
} from "zod/mini";

const aString = /* @__PURE__ */ zod.string();
const anInt = /* @__PURE__ */ zod.int();
const aNumber = /* @__PURE__ */ zod.number();
const aBoolean = /* @__PURE__ */ zod.boolean();
const anything = /* @__PURE__ */ zod.unknown();

/* @__NO_SIDE_EFFECTS__ */
export function string(): typeof aString {
  return aString;
}

/* @__NO_SIDE_EFFECTS__ */
export function int(): typeof anInt {
  return anInt;
}

/* @__NO_SIDE_EFFECTS__ */
export function number(): typeof aNumber {
  return aNumber;
}

/* @__NO_SIDE_EFFECTS__ */
export function boolean(): typeof aBoolean {
  return aBoolean;
}

/* @__NO_SIDE_EFFECTS__ */
export function unknown(): typeof anything {
  return anything;
}

/* @__NO_SIDE_EFFECTS__ */
export function looseObject<T extends zod.core.$ZodLooseShape>(
  shape: T,
): ReturnType<typeof zod.looseObject<T>> {
  const definition = { type: "object", shape, catchall: anything } as const;
  return new zod.ZodMiniObject(definition) as unknown as ReturnType<typeof zod.looseObject<T>>;
}
