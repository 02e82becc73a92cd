import { readdir, readFile } from "node:fs/promises";
import { terminalWords } from "@askwire/client/words";
import { describe, expect, test } from "vitest";
import { languageOf } from "../src/input/language.js";

describe("the language of the terminal", () => {
  test.each([
    ["zh_CN.UTF-8", "zh"],
    ["zh-Hans", "zh"],
    ["zh_TW", "zh"],
    ["zh", "zh"],
    ["ZH_cn", "zh"],
    ["zha_CN", "en"],
    ["C", "en"],
    ["C.UTF-8", "en"],
    ["POSIX", "en"],
    ["en_US", "en"],
    ["xx", "en"],
    ["", "en"],
  ])("the locale %j means the language %s", (LANG, language) => {
    expect(languageOf(undefined, { LANG })).toBe(language);
  });

  test("the first of LC_ALL, LC_MESSAGES and LANG that has a value decides the language", () => {
    expect(languageOf(undefined, {})).toBe("en");
    expect(languageOf(undefined, { LC_ALL: "C", LANG: "zh_CN.UTF-8" })).toBe("en");
    expect(languageOf(undefined, { LC_ALL: "", LC_MESSAGES: "zh_CN", LANG: "en_US" })).toBe("zh");
    expect(languageOf(undefined, { LC_CTYPE: "zh_CN", LANG: "en_US" })).toBe("en");
  });

  test("a requested language takes precedence over the locale", () => {
    expect(languageOf("en", { LANG: "zh_CN" })).toBe("en");
    expect(languageOf("zh", { LANG: "en_US" })).toBe("zh");
  });
});

test("a command that says nothing in a person's language loads no words", async () => {
  const dist = new URL("../dist/", import.meta.url);
  const holds = async (name: string) =>
    (await readFile(new URL(name, dist), "utf8")).includes(terminalWords.en.chat.nothingWritten);
  expect(await holds("chunk-base.cjs")).toBe(false);
  const chunks = (await readdir(dist)).filter((name) => name.endsWith(".cjs"));
  expect(await Promise.all(chunks.map(holds))).toContain(true);
});
