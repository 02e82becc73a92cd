import { isObject } from "@askwire/server/internal";

/** A parameter as told to a model: these three members, then the rest of its schema. */
export interface Parameter {
  readonly type: string;
  /** True if the call must have the parameter. */
  readonly required: boolean;
  readonly description: string;
  readonly [more: string]: unknown;
}

/** The top of an action's JSON Schema. */
export interface ActionParameters {
  /** By name, in the order of the schema. */
  readonly table: ReadonlyMap<string, Parameter>;
  /** The names that the model must give. */
  readonly required: readonly string[];
  /** The names that only the person can give (P-31). */
  readonly askUser: ReadonlyMap<string, Record<string, unknown>>;
  /** True if a call may have further arguments. */
  readonly open: boolean;
}

/** Words of a schema that the three say already, or that say nothing to a model. */
const SAID: ReadonlySet<string> = new Set(["type", "description", "title", "$ref", "$comment"]);

/** Reads the arguments of an action from a checked schema (P-06). */
export function actionParameters(schema: Record<string, unknown>): ActionParameters {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const must = new Set(Array.isArray(schema.required) ? schema.required : []);
  const table = new Map<string, Parameter>();
  const askUser = new Map<string, Record<string, unknown>>();
  for (const [name, given] of Object.entries(properties)) {
    const property = followed(given, schema);
    if (property.askUser === true) askUser.set(name, property);
    const more = Object.entries(property).filter(([word]) => !SAID.has(word));
    table.set(name, {
      type: typeOf(property),
      required: must.has(name) && property.askUser !== true,
      description: typeof property.description === "string" ? property.description : "",
      ...Object.fromEntries(more),
    });
  }
  const required = [...must].filter((name) => !askUser.has(name));
  const { additionalProperties: others } = schema;
  const open = (others !== undefined && others !== false) || schema.patternProperties !== undefined;
  return { table, required, askUser, open };
}

/** Leaves out the parameters that the person is asked for, which no call needs. */
export function withoutAskUser(
  schema: Record<string, unknown>,
  { required, askUser }: ActionParameters,
): Record<string, unknown> {
  return askUser.size === 0 ? schema : { ...schema, required };
}

/** References that follow each other. */
const MAX_FOLLOWED = 16;

/** A property, merged with the schema to which its `#/…` reference points. */
function followed(given: unknown, root: Record<string, unknown>): Record<string, unknown> {
  let property = isObject(given) ? given : {};
  for (let count = 0; typeof property.$ref === "string" && count < MAX_FOLLOWED; count += 1) {
    const { $ref, ...own } = property;
    const found = pointedAt($ref as string, root);
    if (!isObject(found)) return property;
    property = { ...found, ...own };
  }
  return property;
}

function pointedAt(ref: string, root: unknown): unknown {
  let found = root;
  for (const word of ref.split("/").slice(1)) {
    const key = word.replaceAll("~1", "/").replaceAll("~0", "~");
    found =
      typeof found === "object" && found !== null && Object.hasOwn(found, key)
        ? (found as Record<string, unknown>)[key]
        : undefined;
  }
  return found;
}

/** The types of a schema, with ` | ` between them; `any` for a schema without types. */
export function typeOf(schema: Record<string, unknown>): string {
  const { type, anyOf, oneOf, enum: values } = schema;
  if (typeof type === "string") return type;
  if (Array.isArray(type)) return type.join(" | ");
  const choices = anyOf ?? oneOf;
  if (Array.isArray(choices)) {
    return [...new Set(choices.map((choice) => (isObject(choice) ? typeOf(choice) : "any")))].join(" | ");
  }
  if (Array.isArray(values)) return [...new Set(values.map(jsonType))].join(" | ");
  return schema.const === undefined ? "any" : jsonType(schema.const);
}

/** A value's type in the words of JSON Schema. */
export function jsonType(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
