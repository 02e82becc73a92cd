import { pushWords } from "@askwire/client/push-words";
import { defaultLanguage, type Language, languages, terminalWords } from "@askwire/client/words";
import { expect, test } from "vitest";
import * as tables from "../src/words/tables.js";

/** Every word with its path, `panel.keys.move`. */
function leaves(value: unknown, path = ""): [path: string, word: unknown][] {
  if (typeof value !== "object" || value === null) return [[path, value]];
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, path === "" ? key : `${path}.${key}`));
}

/** The tables whose words are the same in number in every language. */
const { extensionWords: _fromFiles, typedWords: _typed, ...early } = tables;
const shown = { ...early, pushWords };
const inLanguage = (language: Language) =>
  leaves(Object.fromEntries(Object.entries(shown).map(([name, table]) => [name, table[language]])));

const en = new Map(leaves(terminalWords.en));
const zh = leaves(terminalWords.zh);

/** Words that stay the same in Chinese: names, and typed text. */
const names = new Set([
  "t",
  "g",
  "ASKWIRE",
  "HOME",
  "MCP",
  "sessions",
  "waiting",
  "Enter",
  "Esc",
  "Ctrl",
  ..."YXFTJGORqD",
  "Tab",
  "Home",
  "End",
  "C",
  "E",
  "U",
  "a",
  "e",
  "n",
  "y",
  "askwire",
  "raw",
  "continue",
  "new",
  "off",
  "on",
]);

/** Values for the arguments of a word, each of a kind that some word takes. */
const one = [1, 1, 1, 1, 1];
const several = [2, 3, 4, 5, 6];
const texts = ["α", "β", "γ", "δ", "ε"];
/** A place where a request goes on: other words would show it. */
const goesOn = ["kept"];
const lists = [["α", "β"], ["γ"]];
const flags = [{ many: true, ownText: true }, "γ"];
const field = [{ type: "integer", bounds: { min: 1, max: 2 } }];
const choices = [{ min: 1, max: 2 }];
const fill = ["α", ["β"], "γ"];
const counted = [3, ["α"]];

/** Signs that a word does not take these arguments. */
const MISTAKEN = /NaN|undefined|object|true|false/;

/** The texts of a word for all its arguments. */
function sayings(word: unknown): string[] {
  if (typeof word === "string") return [word];
  const say = word as (...args: unknown[]) => unknown;
  const saidOf = (args: readonly unknown[]) => {
    try {
      const said = say(...args);
      return typeof said === "string" && !MISTAKEN.test(said) ? [said] : [];
    } catch {
      return [];
    }
  };
  const said = [one, several, texts, lists, flags, field, choices, fill, counted, [true], [false]].flatMap(
    saidOf,
  );
  return said.length > 0 ? said : saidOf(goesOn);
}

const others = languages.filter((language) => language !== defaultLanguage);

test.each(others)("%s has the words of English, of the same kind and with the same arguments", (language) => {
  const english = new Map(inLanguage(defaultLanguage));
  const all = inLanguage(language);
  const kinds = (found: readonly (readonly [string, unknown])[]) =>
    found.map(([path, word]) => `${path}: ${typeof word}`).sort();
  expect(kinds(all)).toEqual(kinds([...english]));
  expect(all.length).toBeGreaterThan(400);
  for (const [path, word] of all)
    if (typeof word === "function") expect(word.length, path).toBe((english.get(path) as () => void).length);
});

test("the origin of an ask is named on one line in every language, without the parts that are left out (P-XAK-12)", () => {
  const origin = { host: "Claude Code", folder: "/work/app", tool: "Bash", subagent: "explore" };
  const { en, zh } = tables.cardWords;
  expect(en.origin(origin)).toBe("Claude Code · /work/app · tool Bash · sub-agent explore");
  expect(zh.origin(origin)).toBe("Claude Code · /work/app · 工具 Bash · 子智能体 explore");
  expect(en.origin({ folder: "/work/app", subagent: "explore" })).toBe("/work/app · sub-agent explore");
  expect(en.origin({})).toBe("");
});

test("no text is empty, and only names are English in the Chinese texts", () => {
  for (const [path, word] of zh) {
    const said = sayings(word);
    expect(said.length, path).toBeGreaterThan(0);
    for (const text of said) {
      // These words are empty where the ends of lines stay the same, and without an origin.
      if (!/^chat\.lineEnds$|\.origin$/.test(path)) expect(text.trim(), path).not.toBe("");
      expect(
        (text.match(/[A-Za-z]+/g) ?? []).filter((found) => !names.has(found)),
        `${path}: ${text}`,
      ).toEqual([]);
    }
  }
});

test.each(others)("a text of the terminal in %s names whatever the English text names", (language) => {
  const found = (word: unknown) =>
    sayings(word).map((text) => ["α", "β", "γ", "δ"].filter((name) => text.includes(name)));
  for (const [path, word] of leaves(terminalWords[language]))
    if (typeof word === "function") expect(found(word), path).toEqual(found(en.get(path)));
});
