import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { growth, LINEAR } from "../../../scripts/growth.js";
import { readSuggestions } from "../src/kilo/suggestions.js";

const texts = (value: unknown) => {
  const read = readSuggestions(value);
  return "problem" in read ? read : read.map(({ text }) => text);
};

describe("suggestions as elements", () => {
  test.each<[string, string, string[]]>([
    ["several", "<suggest>one</suggest>\n<suggest>two</suggest>", ["one", "two"]],
    ["one, which is a list too", "<suggest>one</suggest>", ["one"]],
    ["none", " \n ", []],
  ])("suggestions are read as elements: %s", (_, xml, expected) => {
    expect(texts(xml)).toEqual(expected);
  });

  test.each<[string, string, string]>([
    [
      "entities are decoded, once",
      "a &lt; b &amp;&amp; c &gt; d &quot;&apos; &amp;lt;",
      "a < b && c > d \"' &lt;",
    ],
    ["entities that are none of the five stay", "&nbsp;&#65;&hellip;", "&nbsp;&#65;&hellip;"],
    ["space around it goes, within it stays", "\n   two\n   lines \n", "two\n   lines"],
    ["markup in it stays", "use <b>bold</b> and <code>a</code>", "use <b>bold</b> and <code>a</code>"],
    ["a close tag that something in it opened stays", "<b>bold</b>", "<b>bold</b>"],
  ])("a suggestion's text is read like this: %s", (_, inner, expected) => {
    expect(texts(`<suggest>${inner}</suggest>`)).toEqual([expected]);
  });

  test.each<[string, string, string[]]>([
    ["a < of its own", "<suggest>a < b</suggest><suggest>c <= d > e</suggest>", ["a < b", "c <= d > e"]],
    ["a mistyped close tag", "<suggest>a</sugest><suggest>b</suggestt>\n", ["a", "b"]],
    ["no close tag", "<suggest>a\n<suggest>b", ["a", "b"]],
    ["a close tag that is cut", "<suggest>a</suggest><suggest>b</sugg", ["a", "b"]],
    ["spaces and capitals in tags", "<SUGGEST >a</Suggest ><suggest\n>b</suggest>", ["a", "b"]],
    ["words between them", "1. <suggest>a</suggest> or <suggest>b</suggest> maybe", ["a", "b"]],
    ["the list's own tags", "<follow_up><suggest>a</suggest></follow_up>", ["a"]],
    [
      "empty ones",
      '<suggest></suggest><suggest mode="code"> </suggest><suggest/><suggest>a</suggest>',
      ["a"],
    ],
    ["nothing but empty ones", "<suggest></suggest>", []],
  ])("suggestions are found in text that is no clean XML: %s", (_, xml, expected) => {
    expect(texts(xml)).toEqual(expected);
  });

  test.each<[string, string | undefined]>([
    ['<suggest mode="code">a</suggest>', "code"],
    ["<suggest mode='code'>a</suggest>", "code"],
    ["<suggest mode=code>a</suggest>", "code"],
    ['<suggest id="1" Mode = "co&amp;de" x>a</suggest>', "co&de"],
    ['<suggest mode="a > b">a</suggest>', "a > b"],
    ['<suggest mode="">a</suggest>', undefined],
    ['<suggest mode="code>a</suggest>', undefined],
    ["<suggest>a</suggest>", undefined],
  ])("the suggestion %s has its mode, in any quotes", (xml, mode) => {
    expect(readSuggestions(xml)).toEqual([mode === undefined ? { text: "a" } : { text: "a", mode }]);
  });

  test.each(["red or blue", "- red\n- blue", "<suggestion>red</suggestion>", "{not json", "<suggest", "5"])(
    "suggestions that cannot be read are reported: %j",
    (text) => {
      expect(readSuggestions(text)).toEqual({ problem: "found no <suggest> element" });
    },
  );

  const inner = fc.string({ unit: fc.constantFrom(..."ab <>&;/=\"'é😀\n") }).filter((text) => {
    return !/<\/?suggest(?=[\s/>])/i.test(text);
  });
  const encoded = (text: string) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

  test("suggestions come back as they were encoded, trimmed and without the empty ones", () => {
    void fc.assert(
      fc.property(fc.array(inner, { minLength: 1 }), (said) => {
        const xml = said.map((text) => `<suggest>${encoded(text)}</suggest>`).join("\n");
        expect(texts(xml)).toEqual(said.map((text) => text.trim()).filter((text) => text !== ""));
      }),
    );
  });

  test("suggestions of any text at all are texts or a problem, never an error", () => {
    const piece = fc.constantFrom(
      "<suggest",
      ">",
      "</suggest>",
      ' mode="',
      "'",
      "<",
      "</",
      "a",
      " ",
      "&lt;",
      "[",
      '"',
    );
    void fc.assert(
      fc.property(
        fc.array(piece).map((pieces) => pieces.join("")),
        (text) => {
          const read = readSuggestions(text);
          if ("problem" in read) return;
          for (const { text } of read) expect(text).toBe(text.trim());
          expect(read.every(({ text }) => text !== "")).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });

  test.each<[string, string]>([
    ["open tags", "<suggest>a"],
    ["cut tags", "<suggest "],
    ["quotes", '<suggest mode="a'],
    ["close tags", "<suggest>a</x></x>"],
    ["spaces", "<suggest>a           </"],
  ])("suggestions in a long text of %s are read in time linear in its length", async (_, piece) => {
    expect(await growth((count) => readSuggestions(piece.repeat(count)), 50)).toBeLessThan(LINEAR);
  });
});

describe("suggestions as a list", () => {
  test.each<[string, unknown, string[]]>([
    ["objects", [{ text: "a", mode: null }, { answer: "b" }, { label: "c" }], ["a", "b", "c"]],
    ["texts", ["a", " b < c ", ""], ["a", "b < c"]],
    ["texts that are elements", ["<suggest>a</suggest>", "b"], ["a", "b"]],
    ["a JSON text", '["a", {"text": "b"}]', ["a", "b"]],
    ["one object in a JSON text", '{"answer": "a"}', ["a"]],
  ])("suggestions as a list of %s are read", (_, value, expected) => {
    expect(texts(value)).toEqual(expected);
  });

  test("suggestions as a list have their modes", () => {
    expect(
      readSuggestions([
        { text: "a", mode: "code" },
        { text: "b", mode: " " },
        { text: "c", mode: 5 },
      ]),
    ).toEqual([{ text: "a", mode: "code" }, { text: "b" }, { text: "c" }]);
  });

  test.each<[unknown, string]>([
    [[{ text: "a" }, {}], "expected a text as suggestion 2"],
    [[null], "expected a text as suggestion 1"],
    [["a", 5], "expected a text as suggestion 2"],
    [5, "expected a list"],
    [{ text: "a" }, "expected a list"],
  ])("suggestions as a list that hold something else are reported: %j", (value, problem) => {
    expect(readSuggestions(value)).toEqual({ problem });
  });
});
