import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defaultLanguage, languages } from "@askwire/client/words";
import { expect, test } from "vitest";
import { root, sources } from "./imports.js";

const words = "packages/client/src/words/";

/** The files that have letters of other languages, and why these are no words of an interface. */
const foreign = [
  ["packages/conformance-tests/src/", "texts that a check sends to see them come back"],
  ["packages/dialects/src/adp/", "what the tools of this dialect say to a model"],
  [
    "packages/dialects/src/kilo/person-words.ts",
    "what the dialect asks a person by itself, as its setting says",
  ],
  ["packages/dialects/src/redc/", "what the tool of this dialect says to a model"],
  ["packages/protocol/src/fields/boolean.ts", "the protocol's words for true and false"],
  ["packages/protocol/src/transport-suite.ts", "texts that a transport has to carry"],
] as const;

const files = ["packages", "apps"]
  .flatMap((group) => readdirSync(join(root, group)).map((name) => `${group}/${name}/src`))
  .flatMap(sources)
  .filter((file) => !file.startsWith(words));
const reasonOf = (file: string) => foreign.find(([start]) => file.startsWith(start));
const textOf = (file: string) => readFileSync(join(root, file), "utf8");

test("only the files of the languages have letters of other languages, and files with a reason", () => {
  const found = files.filter((file) => /[^\p{ASCII}µ\P{L}]/u.test(textOf(file)));
  expect(found.filter((file) => reasonOf(file) === undefined)).toEqual([]);
  expect(new Set(found.map(reasonOf))).toEqual(new Set(foreign));
});

test("only the files of the languages name a language other than the default", () => {
  const others = languages.filter((language) => language !== defaultLanguage).join("|");
  const named = new RegExp(`["'\`](${others})["'\`]|\\w\\.(${others})\\b|\\b(${others}):`);
  const isNamed = (file: string) => reasonOf(file) === undefined && named.test(textOf(file));
  expect(files.filter(isNamed)).toEqual([]);
  expect(textOf(`${words}tables.ts`)).toMatch(named);
});

test("a file beside the table of languages is the file of a language, or has no words", () => {
  const neutral = [
    "addressed-in.ts",
    "any-language.ts",
    "apart.ts",
    "approvals-in.ts",
    "changes.ts",
    "claim-in.ts",
    "inbox.ts",
    "index.ts",
    "language.ts",
    "page.ts",
    "push-words.ts",
    "push.ts",
    "tables.ts",
    "who.ts",
  ];
  // The lines of our own tools come in English: only their translations are kept.
  const told = ["told-zh.ts"];
  const ofLanguages = languages.flatMap((language) => [
    `${language}.ts`,
    `apart-${language}.ts`,
    `change-${language}.ts`,
    `decided-${language}.ts`,
    `entry-${language}.ts`,
    `inbox-${language}.ts`,
    `page-${language}.ts`,
    `pairing-${language}.ts`,
    `push-${language}.ts`,
    `settings-${language}.ts`,
    `terminal-inbox-${language}.ts`,
  ]);
  const expected = [...neutral, ...told, ...ofLanguages];
  expect(readdirSync(join(root, words)).sort()).toEqual(expected.sort());
});
