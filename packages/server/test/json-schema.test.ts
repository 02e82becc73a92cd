import { describe, expect, test } from "vitest";
import { readJsonSchema } from "../src/json-schema/json-schema.js";
import { boundedTime } from "../src/runtime/bounded-time.js";

const within = boundedTime(250);
const read = (schema: unknown) => readJsonSchema(schema, within);

function wrongWith(schema: unknown): string | undefined {
  const result = read(schema);
  return typeof result === "string" ? result : undefined;
}

/** The misfit of a value with a right schema. */
function problem(schema: unknown, value: unknown): string | undefined {
  const result = read(schema);
  if (typeof result === "string") throw new Error(result);
  return result.problem(value);
}

describe("a schema (P-EXT-3)", () => {
  test.each<[unknown]>([
    [{}],
    [true],
    [{ properties: { any: true, none: false } }],
    [{ $schema: "https://json-schema.org/draft/2020-12/schema", type: ["object", "null"] }],
    [{ $schema: "http://json-schema.org/draft-07/schema#", definitions: { a: {} }, $ref: "#/definitions/a" }],
    [{ $defs: { node: { properties: { next: { $ref: "#/$defs/node" } } } }, $ref: "#/$defs/node" }],
    [{ $defs: { a: { $anchor: "here", type: "string" } }, $ref: "#here" }],
    [{ $id: "https://example.com/tool", $defs: { a: {} }, properties: { x: { $ref: "#/$defs/a" } } }],
    [{ dependencies: { a: ["b"], c: { type: "object" } }, "x-order": ["a"], id: 7, enum: [], required: [] }],
    [{ properties: { a: { id: "same" }, b: { id: "same", type: "string" } } }],
    [{ properties: { id: { type: "string" }, $ref: { type: "string" }, type: {} }, "x-id": { $ref: 5 } }],
  ])("a schema is accepted: %j", (schema) => {
    expect(wrongWith(schema)).toBeUndefined();
  });

  test.each<[unknown, string]>([
    [{ type: "banana" }, "parameters.type: expected one of "],
    [{ type: [] }, "parameters.type: expected one of "],
    [{ properties: 5 }, "parameters.properties: expected an object of schemas"],
    [{ properties: { a: 5 } }, "parameters.properties.a: expected a schema (an object, true or false)"],
    [{ items: [{ anyOf: [] }] }, "parameters.items: expected a schema"],
    [{ items: { anyOf: [] } }, "parameters.items.anyOf: expected a list of schemas, not empty"],
    [
      { properties: { a: { allOf: [true, { items: { minimum: "1" } }] } } },
      "parameters.properties.a.allOf[1].items.minimum: expected a number",
    ],
    [{ required: ["a", "a"] }, "parameters.required: expected a list of different texts"],
    [{ required: true }, "parameters.required: expected"],
    [{ minLength: -1 }, "parameters.minLength: expected a whole number from 0"],
    [{ exclusiveMinimum: true }, "parameters.exclusiveMinimum: expected a number"],
    [{ pattern: "(" }, "parameters.pattern: expected a regular expression (Invalid regular expression"],
    [{ patternProperties: { "[": {} } }, "parameters.patternProperties.[: expected a regular expression"],
    [{ dependentRequired: { a: "b" } }, "parameters.dependentRequired: expected an object of lists"],
    [{ dependencies: { a: 1 } }, "parameters.dependencies.a: expected a schema"],
    [{ $ref: "https://example.com/schema" }, "parameters.$ref: expected a reference inside the schema"],
    [{ $ref: "other.json#/a" }, "parameters.$ref: expected a reference inside the schema"],
    [{ properties: { a: { $ref: "#/$defs/b" } } }, "parameters.properties.a.$ref: there is no #/$defs/b"],
    [[], "parameters: expected a schema"],
    [null, "parameters: expected a schema"],
    [undefined, "parameters: expected a schema"],
  ])("a schema is refused, and the place is named: %j", (schema, told) => {
    expect(wrongWith(schema)).toContain(told);
  });

  test("a schema is refused over 64 kB", () => {
    const told = "parameters: expected at most 65536 bytes of JSON, not 65554";
    expect(wrongWith({ description: "x".repeat(65_536) })).toBe(told);
  });

  test("a schema is refused when it lies too deep, or its ids make it take for ever", () => {
    let deep: object = {};
    for (let depth = 0; depth < 80; depth += 1) deep = { not: deep };
    expect(wrongWith(deep)).toContain("expected at most 64 schemas inside each other");
    let doubled: object = {};
    for (let depth = 60; depth > 0; depth -= 1) doubled = { not: { $id: `${depth}`, ...doubled } };
    expect(wrongWith(doubled)).toBe("parameters: this schema cannot be read in time");
  });

  test("a schema is not changed by being read and used", () => {
    const schema = { $defs: { a: { id: "a", type: "string" } }, properties: { x: { $ref: "#/$defs/a" } } };
    const before = JSON.stringify(schema);
    expect(problem(schema, { x: 1 })).toContain("x: Instance type");
    expect([JSON.stringify(schema), Object.getOwnPropertyNames(schema)]).toEqual([
      before,
      ["$defs", "properties"],
    ]);
  });
});

describe("a value (P-EXT-5)", () => {
  test.each<[unknown, unknown]>([
    [{ type: "object" }, {}],
    [{ properties: { a: { type: "integer" } } }, { a: 1, b: 2 }],
    [{ properties: { a: { anyOf: [{ type: "string" }, { type: "null" }] } } }, { a: null }],
    [
      { $defs: { n: { properties: { next: { $ref: "#/$defs/n" } } } }, $ref: "#/$defs/n" },
      { next: { next: {} } },
    ],
    [{ format: "constructor" }, "x"],
    [true, null],
  ])("a value fits the schema %j", (schema, value) => {
    expect(problem(schema, value)).toBeUndefined();
  });

  test.each<[unknown, unknown, string]>([
    [
      { properties: { a: { items: { type: "number" } } } },
      { a: [1, "x"] },
      'a[1]: Instance type "string" is invalid. Expected "number".',
    ],
    [{ required: ["a"] }, {}, 'Instance does not have required property "a".'],
    [{ additionalProperties: false, properties: { a: true } }, { a: 1, "b/c": 2 }, "b/c: not expected here"],
    [{ properties: { none: false } }, { none: 1 }, "none: not expected here"],
    [{ properties: { a: { enum: ["x", "y"] } } }, { a: "z" }, 'a: Instance does not match any of ["x","y"].'],
    [
      { properties: { a: { anyOf: [{ type: "string" }, { properties: { b: { type: "null" } } }] } } },
      { a: { b: 1 } },
      "a: Instance does not match any subschemas.",
    ],
    [
      { properties: Object.fromEntries(["a", "b", "c", "d", "e"].map((key) => [key, { const: 1 }])) },
      { a: 0, b: 0, c: 0, d: 0, e: 0 },
      "a: Instance does not match 1.; b: Instance does not match 1.; c: Instance does not match 1.; and 2 more",
    ],
  ])(
    "a value that does not fit %j is reported with the place and what was expected",
    (schema, value, told) => {
      expect(problem(schema, value)).toBe(told);
    },
  );

  test("a value is searched for a set at the end beyond U+FFFF too", () => {
    for (const pattern of ["[^ ]$", "[\\p{S}\\p{N}]$", "x|([^ ])$", "(?<sign>[^ ]{1,2})$"]) {
      expect(problem({ pattern }, "done 🛠")).toBeUndefined();
      expect(problem({ pattern }, "done ")).toBe("String does not match pattern.");
    }
    expect(wrongWith({ pattern: "a)|(b" })).toContain("parameters.pattern: expected a regular expression");
  });

  test.each<[string, unknown, unknown, string]>([
    ["a pattern that would take for ever", { pattern: "^(a+)+$" }, `${"a".repeat(64)}b`, "in time"],
    ["a schema that lies in itself", { $ref: "#" }, 1, "could not be checked against the schema"],
  ])("a value that %s keeps from being checked does not fit, and nothing hangs", (_, schema, value, told) => {
    expect(problem(schema, value)).toContain(told);
  });

  test("a value with keys of the prototype is looked at like any other", () => {
    const value = JSON.parse('{"__proto__": {"a": 1}, "constructor": 2}');
    expect(problem({ additionalProperties: { type: "string" } }, value)).toContain(
      "__proto__: Instance type",
    );
    expect(problem({ required: ["toString"] }, {})).toContain('"toString"');
    expect(problem({ format: "__proto__" }, "x")).toContain("could not be checked");
  });
});
