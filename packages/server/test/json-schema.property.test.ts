import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readJsonSchema } from "../src/json-schema/json-schema.js";
import { schemaPlaces, valueRules } from "../src/json-schema/json-schema-rules.js";
import { boundedTime } from "../src/runtime/bounded-time.js";

const keywords = [...valueRules.keys(), ...schemaPlaces.keys(), "id", "x-note", "__proto__", "constructor"];
const words = ["string", "object", "a", "", "#", "#/$defs/a", "http://a/b", "(", "a+", "__proto__"];

/** Values that look like schemas, right and wrong. */
const schemas: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    fc.boolean(),
    fc.dictionary(fc.constantFrom(...keywords), tie("value"), { maxKeys: 3 }),
  ),
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(...words),
    fc.constantFrom(null, true, 0, 1, -1, 1.5),
    tie("schema"),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "[", "__proto__"), tie("schema"), { maxKeys: 2 }),
  ),
})).schema;

test("whatever is brought as a schema, it is refused with its place, or says of any value whether it fits (P-EXT-3, P-EXT-5)", async () => {
  const within = boundedTime(250);
  let accepted = 0;

  async function check(brought: unknown, value: unknown): Promise<void> {
    const before = JSON.stringify(brought);
    const read = readJsonSchema(brought, within);
    expect(JSON.stringify(brought)).toBe(before);
    if (typeof read === "string") {
      expect(read).toMatch(/^parameters\S*: \S/);
      return;
    }
    accepted += 1;
    const problem = read.problem(value);
    if (brought === true) expect(problem).toBeUndefined();
    else if (problem !== undefined) expect(problem).not.toBe("");
  }

  await fc.assert(fc.asyncProperty(schemas, fc.jsonValue(), check), { numRuns: 1_000 });
  expect(accepted).toBeGreaterThan(100);
});
