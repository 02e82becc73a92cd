import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { asks, calls } from "./adp-scene.js";
import { read, shown } from "./reader-scene.js";

const piece = fc.oneof(
  fc.constantFrom(
    asks(),
    asks("browser_use", "browser_click", "param_query"),
    calls('{"code": "1"}'),
    calls("{}", "Browser-Use", "browser_click"),
    "<result>\nx\n</result>",
    "<tool_param>",
    "</tool_param>",
    "<tool_id>microsandbox</tool_id>",
    "<action>",
    "</action>",
    "<microsandbox>",
    "</microsandbox>",
    "<microsandbox_execute>",
    "</microsandbox_execute>",
    "<list_sessions/>",
    "<result>",
    "</result>",
    "<execute_tools />",
    "<execute_tools>",
    "</execute_tools>",
    "<think>",
    "</think>",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "\n```\n",
    "`",
    "\n",
    " ",
    "<",
    "</",
    "😀",
  ),
  fc.string({ unit: "grapheme", maxLength: 8 }),
);
const text = fc.array(piece, { maxLength: 16 }).map((pieces) => pieces.join(""));

describe("a model's text", () => {
  test("the result is the same wherever the stream is cut", async () => {
    await fc.assert(
      fc.asyncProperty(text, fc.array(fc.nat()), async (whole, cuts) => {
        const expected = await read(whole);
        expect(await read(...whole.split(""))).toEqual(expected);
        const at = cuts.map((cut) => cut % (whole.length + 1)).sort((a, b) => a - b);
        expect(await read(...[0, ...at].map((from, n) => whole.slice(from, at[n])))).toEqual(expected);
      }),
      { numRuns: 150 },
    );
  });
});

describe("any text of a model", () => {
  test("no call runs beside a query, whatever a model writes", async () => {
    await fc.assert(
      fc.asyncProperty(text, text, async (before, after) => {
        const { calls: made } = await shown(`${before}\n${asks()}${after}`);
        const names = made.map(({ name }) => name);
        const asked = made.some(({ name, ...more }) => name === "param_query" && !("unread" in more));
        if (asked) expect(names.every((name) => name === "param_query")).toBe(true);
      }),
      { numRuns: 120 },
    );
  });

  test("no query and no whole result is shown outside code, thoughts and comments, whatever a model writes", async () => {
    const words = fc.array(
      fc.oneof(
        fc.constantFrom(asks(), "<result>\nx\n</result>", calls('{"code": "1"}'), "<b>bold</b>", " and\n"),
        fc.string({ unit: fc.constantFrom(..."abc .\n") }),
      ),
      { maxLength: 12 },
    );
    await fc.assert(
      fc.asyncProperty(words, async (pieces) => {
        const { text: said } = await shown(pieces.join(""));
        expect(said).not.toMatch(/<(tool_param|result|microsandbox)/);
      }),
    );
  });
});
