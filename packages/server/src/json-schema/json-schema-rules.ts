// The meta-schema of JSON Schema Draft 2020-12: a rule for the value of each keyword. For a value that holds schemas,
// the rule tells how to find them.

/** A rule for a keyword's value. A text as result names the expected value. */
export type Rule = (value: unknown) => string | undefined;
/** The place of schemas in a keyword's value: the value itself, a list, or the members of an object. */
export type SchemaPlace = "schema" | "schemas" | "map of schemas" | "map of schemas or texts";

const typeNames = ["array", "boolean", "integer", "null", "number", "object", "string"];
const quotedTypes = typeNames.map((name) => `"${name}"`).join(", ");

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const expects =
  (expected: string, fits: (value: unknown) => boolean): Rule =>
  (value) =>
    fits(value) ? undefined : `expected ${expected}`;

const distinctTexts = (value: unknown): value is string[] =>
  Array.isArray(value) &&
  value.every((item) => typeof item === "string") &&
  new Set(value).size === value.length;
const isTypeName = (value: unknown) => typeNames.includes(value as string);

const text = expects("text", (value) => typeof value === "string");
const flag = expects("true or false", (value) => typeof value === "boolean");
const number = expects("a number", (value) => typeof value === "number");
const count = expects("a whole number from 0", (value) => Number.isInteger(value) && (value as number) >= 0);
const texts = expects("a list of different texts", distinctTexts);
const list = expects("a list", Array.isArray);
const anchor = expects(
  "a name",
  (value) => typeof value === "string" && /^[A-Za-z_][-A-Za-z0-9._]*$/.test(value),
);
const inside = (value: unknown) => typeof value === "string" && value.startsWith("#");
const reference = expects(
  'a reference inside the schema, such as "#/$defs/name"; others are not fetched',
  inside,
);

/** The rule for a regular expression. */
export const regularExpression: Rule = (value) => {
  if (typeof value !== "string") return "expected a regular expression";
  try {
    new RegExp(value, "u");
    return undefined;
  } catch (error) {
    return `expected a regular expression (${(error as Error).message})`;
  }
};

/** Keywords whose values are no schemas. Keywords outside both tables are annotations, and free. */
export const valueRules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  [
    "$id",
    expects("text without a fragment", (value) => typeof value === "string" && /^[^#]*#?$/.test(value)),
  ],
  ["$schema", text],
  ["$ref", reference],
  ["$dynamicRef", reference],
  ["$recursiveRef", expects('"#"', (value) => value === "#")],
  ["$anchor", anchor],
  ["$dynamicAnchor", anchor],
  ["$recursiveAnchor", flag],
  ["$comment", text],
  [
    "type",
    expects(
      `one of ${quotedTypes}, or a list of them`,
      (value) => isTypeName(value) || (distinctTexts(value) && value.length > 0 && value.every(isTypeName)),
    ),
  ],
  ["enum", list],
  ["multipleOf", expects("a number over 0", (value) => typeof value === "number" && value > 0)],
  ["maximum", number],
  ["exclusiveMaximum", number],
  ["minimum", number],
  ["exclusiveMinimum", number],
  ["maxLength", count],
  ["minLength", count],
  ["pattern", regularExpression],
  ["maxItems", count],
  ["minItems", count],
  ["uniqueItems", flag],
  ["maxContains", count],
  ["minContains", count],
  ["maxProperties", count],
  ["minProperties", count],
  ["required", texts],
  [
    "dependentRequired",
    expects(
      "an object of lists of different texts",
      (value) => isObject(value) && Object.values(value).every(distinctTexts),
    ),
  ],
  ["title", text],
  ["description", text],
  ["deprecated", flag],
  ["readOnly", flag],
  ["writeOnly", flag],
  ["examples", list],
  ["format", text],
  ["contentEncoding", text],
  ["contentMediaType", text],
]);

/** Keywords whose values are schemas, or contain them. */
export const schemaPlaces: ReadonlyMap<string, SchemaPlace> = new Map<string, SchemaPlace>([
  ["$defs", "map of schemas"],
  ["definitions", "map of schemas"],
  ["properties", "map of schemas"],
  ["patternProperties", "map of schemas"],
  ["dependentSchemas", "map of schemas"],
  ["dependencies", "map of schemas or texts"],
  ["additionalProperties", "schema"],
  ["unevaluatedProperties", "schema"],
  ["propertyNames", "schema"],
  ["items", "schema"],
  ["unevaluatedItems", "schema"],
  ["contains", "schema"],
  ["not", "schema"],
  ["if", "schema"],
  ["then", "schema"],
  ["else", "schema"],
  ["contentSchema", "schema"],
  ["prefixItems", "schemas"],
  ["allOf", "schemas"],
  ["anyOf", "schemas"],
  ["oneOf", "schemas"],
]);

/** The rule for values of `dependencies` besides schemas. */
export const isListOfTexts = distinctTexts;
