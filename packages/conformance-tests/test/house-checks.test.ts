import { expect, test } from "vitest";

type Faults = (name: string, text: string) => string[];

const load = (name: string) => import(new URL(`../../../scripts/${name}.mjs`, import.meta.url).href);
const { functionFaults }: { functionFaults: Faults } = await load("functions");
const { titleFaults }: { titleFaults: Faults } = await load("test-titles");
const { ticFaults }: { ticFaults: Faults } = await load("tics");

type Source = { readonly name: string; readonly text: string };
const { clashingNames }: { clashingNames(sources: readonly Source[]): [string, string[]][] } =
  await load("name-clashes");

const ofLines = (count: number) => `\nfunction long() {\n${"  look();\n".repeat(count - 2)}}\n`;

test("a function of 100 lines is allowed, and one of 101 is named with its line and the rule", () => {
  expect(functionFaults("a.ts", ofLines(100))).toEqual([]);
  expect(functionFaults("a.ts", ofLines(101))).toEqual(["a.ts:2: long has 101 lines, the most are 100"]);
});

test.each([
  ["let a, b, c, d; return () => [a, b, c, d];", "a, b, c, d"],
  ["let a = 1; let b, c, d; class One { all() { return [a, b, c, d]; } }", "a, b, c, d"],
])("four variables that functions within share are named: %s", (body, names) => {
  const fault = `a.ts:1: make hides 4 variables (${names}), the most are 3`;
  expect(functionFaults("a.ts", `const make = () => { ${body} };`)).toEqual([fault]);
});

test.each([
  "let a, b, c; return () => [a, b, c];",
  "let a, b, c, d; return [a, b, c, d];",
  "const a = 1, b = 2, c = 3, d = 4; return () => [a, b, c, d];",
  "for (let a = 0, b = 0, c = 0, d = 0; ; ) run(() => [a, b, c, d]);",
])("variables that do not change, or that nobody shares, are no hidden state: %s", (body) => {
  expect(functionFaults("a.ts", `const make = () => { ${body} };`)).toEqual([]);
});

test.each([
  'test("is empty after a reset", () => {})',
  'test.each([1])("and %s", () => {})',
  "it(`keeps ${name}`, () => {})",
  'test.skipIf(isOff)("that only its end tells of", () => {})',
  'test("a store that is none", () => {})',
])("a title that is no sentence of its own is named: %s", (source) => {
  expect(titleFaults("a.test.ts", source)).toEqual([expect.stringMatching(/^a\.test\.ts:1: /)]);
});

test.each([
  'test("a store is empty after a reset", () => {})',
  'test.each([1])("answers of %s are kept", () => {})',
  'describe("is no test", () => {})',
])("a title with its subject passes: %s", (source) => {
  expect(titleFaults("a.test.ts", source)).toEqual([]);
});

test.each([
  ["/** A store that is none. */", 'is none (say "there is none", "has none" or "is not one")'],
  ["look(); // not asked any more", 'any more (say "no longer")'],
  ["/**\n * Asks an agent\n * of ACP. */", 'agent of ACP (say "ACP agent")', 2],
  ["// Asks the agents\n// of others.", `agents of others (say "other vendors' agents")`],
])(
  "a turn of phrase in a comment is named with its line and a plainer way: %s",
  (source, fault, line = 1) => {
    expect(ticFaults("a.ts", source)).toEqual([`a.ts:${line}: ${fault}`]);
  },
);

test("a page is read outside of its fences", () => {
  const page = ["```", "any more", "```", "", "It is let", "in no more."].join("\n");
  expect(ticFaults("a.md", page)).toEqual(['a.md:5: let in no more (say "no longer let in")']);
});

test.each([
  'const text = "not asked any more";',
  "/** Undefined where there is none. */",
  "// Asks any\nmore();",
])("a turn of phrase that no comment has is left alone: %s", (source) => {
  expect(ticFaults("a.ts", source)).toEqual([]);
});

test("a name that two files export is found with both, and one that a file imports is not", () => {
  const sources = [
    { name: "a.ts", text: "export interface Place {}\nexport const one = 1, two = 2;" },
    {
      name: "b.ts",
      text: 'import type { one } from "./a.js";\nexport class Place {}\nexport const two = one;',
    },
  ];
  expect(clashingNames(sources)).toEqual([
    ["Place", ["a.ts", "b.ts"]],
    ["two", ["a.ts", "b.ts"]],
  ]);
});

test("a name of a file that is imported whole is said with that file, and means one thing", () => {
  const sources = [
    { name: "src/a.ts", text: "export const read = 1;" },
    { name: "src/b.ts", text: "export const read = 2;" },
    { name: "src/c.ts", text: 'import * as a from "./a.js";\nexport const one = a.read;' },
  ];
  expect(clashingNames(sources)).toEqual([]);
  expect(clashingNames(sources.slice(0, 2))).toEqual([["read", ["src/a.ts", "src/b.ts"]]]);
});
