import { dereference, type OutputUnit, type Schema, validate } from "@cfworker/json-schema";
import type { BoundedTime } from "../runtime/bounded-time.js";
import { foundOnEachEngine } from "../runtime/pattern-search.js";
import { isListOfTexts, isObject, regularExpression, schemaPlaces, valueRules } from "./json-schema-rules.js";

/** Characters of a schema as JSON. */
const MAX_SCHEMA = 64 * 1024;
/** Schemas inside each other. */
const MAX_DEPTH = 64;

/** A checked foreign JSON Schema. Interpreted only: no code is made, and nothing is fetched. */
export interface JsonSchema {
  /** Describes the misfit of a value and its place; undefined if the value fits. */
  problem(value: unknown): string | undefined;
}

/**
 * Reads a schema by the rules of Draft 2020-12 (P-EXT-3). A text as result names the mistake and its place.
 *
 * @param within limits the time of work that a schema can make slow.
 */
export function readJsonSchema(schema: unknown, within: BoundedTime): JsonSchema | string {
  const text = JSON.stringify(schema) ?? "";
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_SCHEMA) return `parameters: expected at most ${MAX_SCHEMA} bytes of JSON, not ${bytes}`;
  // A copy, since the validator marks the schemas that it has seen.
  const own = JSON.parse(text === "" ? "null" : text) as Schema | boolean;
  const references: Reference[] = [];
  const wrong = misuse(own, "parameters", references, 0);
  if (wrong !== undefined) return wrong;
  let known: ReturnType<typeof dereference> = {};
  try {
    const done = within(() => {
      known = dereference(own);
    });
    if (!done) return "parameters: this schema cannot be read in time";
  } catch (error) {
    return `parameters: ${(error as Error).message}`;
  }
  const dangling = references.find(({ schema }) => known[schema.__absolute_ref__ ?? ""] === undefined);
  if (dangling !== undefined) return `${dangling.at}.$ref: there is no ${dangling.schema.$ref} in the schema`;

  return {
    problem(value) {
      let errors: OutputUnit[] = [];
      try {
        const done = within(() => {
          ({ errors } = validate(value, own, "2020-12", known, false));
        });
        return done ? describe(errors) : "they could not be checked against the schema in time";
      } catch (error) {
        return `they could not be checked against the schema (${(error as Error).message})`;
      }
    },
  };
}

interface Reference {
  readonly schema: Schema;
  readonly at: string;
}

/** The first keyword that is used in a way that the meta-schema forbids. Gathers the references on the way. */
function misuse(schema: unknown, at: string, references: Reference[], depth: number): string | undefined {
  if (typeof schema === "boolean") return undefined;
  if (!isObject(schema)) return `${at}: expected a schema (an object, true or false)`;
  if (depth > MAX_DEPTH) return `${at}: expected at most ${MAX_DEPTH} schemas inside each other`;
  if (schema.$ref !== undefined) references.push({ schema, at });
  // To the validator it would be `$id`, as in Draft 4.
  delete schema.id;
  for (const [keyword, value] of Object.entries(schema)) {
    const place = `${at}.${keyword}`;
    const wrong = valueRules.get(keyword)?.(value);
    if (wrong !== undefined) return `${place}: ${wrong}`;
    if (keyword === "pattern") schema.pattern = foundOnEachEngine(value as string);
    const inner = misuseWithin(keyword, value, place, references, depth + 1);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

function misuseWithin(
  keyword: string,
  value: unknown,
  at: string,
  references: Reference[],
  depth: number,
): string | undefined {
  switch (schemaPlaces.get(keyword)) {
    case undefined:
      return undefined;
    case "schema":
      return misuse(value, at, references, depth);
    case "schemas":
      if (!Array.isArray(value) || value.length === 0) return `${at}: expected a list of schemas, not empty`;
      return first(value.entries(), ([index, item]) => misuse(item, `${at}[${index}]`, references, depth));
    case "map of schemas":
      if (!isObject(value)) return `${at}: expected an object of schemas`;
      return first(Object.entries(value), ([name, item]) => {
        const wrong = keyword === "patternProperties" ? regularExpression(name) : undefined;
        return wrong === undefined
          ? misuse(item, `${at}.${name}`, references, depth)
          : `${at}.${name}: ${wrong}`;
      });
    case "map of schemas or texts":
      if (!isObject(value)) return `${at}: expected an object of schemas or lists of texts`;
      return first(Object.entries(value), ([name, item]) =>
        isListOfTexts(item) ? undefined : misuse(item, `${at}.${name}`, references, depth),
      );
  }
}

function first<T>(items: Iterable<T>, wrongWith: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const wrong = wrongWith(item);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

/** Keywords that only say that something inside them is wrong, which comes as a separate error. */
const wrappers: ReadonlySet<string> = new Set([
  "$ref",
  "$recursiveRef",
  "allOf",
  "if",
  "items",
  "prefixItems",
  "unevaluatedItems",
  "properties",
  "patternProperties",
  "additionalProperties",
  "unevaluatedProperties",
  "dependentSchemas",
]);
/** Keywords that need only one matching alternative. The misfits of each alternative say little. */
const alternatives: ReadonlySet<string> = new Set(["anyOf", "oneOf", "contains"]);

/** Describes misfits with their places: at most three, then a count. */
function describe(errors: readonly OutputUnit[]): string | undefined {
  const choices = errors.filter(({ keyword }) => alternatives.has(keyword));
  const told = errors.filter(
    (error) =>
      !wrappers.has(error.keyword) &&
      !choices.some((choice) => error.keywordLocation.startsWith(`${choice.keywordLocation}/`)),
  );
  const problems = told.slice(0, 3).map(({ instanceLocation, keyword, error }) => {
    const place = placeOf(instanceLocation);
    const what = keyword === "false" ? "not expected here" : error;
    return place === "" ? what : `${place}: ${what}`;
  });
  if (told.length > problems.length) problems.push(`and ${told.length - problems.length} more`);
  return problems.length === 0 ? undefined : problems.join("; ");
}

/** `#/a/0/b` as `a[0].b`. */
function placeOf(pointer: string): string {
  const keys = pointer.split("/").slice(1);
  const path = keys.map((key) => {
    const name = key.replaceAll("~1", "/").replaceAll("~0", "~");
    return /^\d+$/.test(name) ? `[${name}]` : `.${name}`;
  });
  return path.join("").replace(/^\./, "");
}
