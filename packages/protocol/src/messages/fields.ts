// Kinds of fields that many messages have, of the parts of zod that every client carries anyway.
import * as z from "../zod.js";

/** A field that may be null or left out, which is read as null. */
/* @__NO_SIDE_EFFECTS__ */
export function nullable<S extends z.ZodMiniType>(schema: S) {
  return z._default(z.nullable(schema), null);
}

/** An object with any keys, its values of one kind. `z.record` would cost a browser half a kilobyte more. */
/* @__NO_SIDE_EFFECTS__ */
export function mapOf<S extends z.ZodMiniType>(schema: S) {
  return z.catchall(z.looseObject({}), schema) as unknown as z.ZodMiniType<
    Record<string, z.output<S>>,
    Record<string, z.input<S>>
  >;
}

/**
 * Optional fields of the extended profile in a message of the base one. A peer that has fields of the same name and
 * another meaning is understood without them.
 */
/* @__NO_SIDE_EFFECTS__ */
export function passedOver<S extends Readonly<Record<string, z.ZodMiniType>>>(shape: S): S {
  const lenient = Object.entries(shape).map(([name, innerType]) => [
    name,
    // The form that `z.catch` gives a constant, which zod can compile. `z.catch` adds three kilobytes in a browser.
    new z.ZodMiniCatch({ type: "catch", innerType, catchValue: absent }),
  ]);
  return Object.fromEntries(lenient) as S;
}

const absent = Object.assign(() => undefined, { "~constantCatch": true });
