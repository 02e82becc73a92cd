// The parts of the JSON Schema of a form that are read. All else is passed over.
import * as z from "./zod.js";

const nullish = <T extends z.ZodMiniType>(schema: T) => z.optional(z.nullable(schema));
const text = z.string();

/** Notes of other makers on an object. */
const _meta = nullish(z.looseObject({}));

const number = nullish(z.number());
const Options = nullish(
  z.array(z.looseObject({ const: text, title: nullish(text), description: nullish(text), _meta })),
);

/** A field of a form, with the members of every type. */
export const FormProperty = z.looseObject({
  type: text,
  title: nullish(text),
  description: nullish(text),
  default: z.optional(z.unknown()),
  minLength: number,
  maxLength: number,
  pattern: nullish(text),
  format: nullish(text),
  enum: nullish(z.array(text)),
  /** The titles of `enum`, as older versions of MCP write them. */
  enumNames: nullish(z.array(text)),
  oneOf: Options,
  minimum: number,
  maximum: number,
  minItems: number,
  maxItems: number,
  items: z.optional(z.looseObject({ enum: nullish(z.array(text)), anyOf: Options })),
  _meta,
});
export type FormProperty = z.output<typeof FormProperty>;

/** The JSON Schema of a form: an object of fields. */
export const FormSchema = z.looseObject({
  title: nullish(text),
  description: nullish(text),
  properties: nullish(z.record(text, FormProperty)),
  required: nullish(z.array(text)),
});
export type FormSchema = z.output<typeof FormSchema>;
