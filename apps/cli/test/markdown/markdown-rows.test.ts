import { expect, test } from "vitest";
import { paintFor } from "../../src/device/paint.js";
import { growingLines } from "../../src/markdown/growing-lines.js";
import { growingMarkdown } from "../../src/markdown/growing-markdown.js";
import type { Look } from "../../src/markdown/spans.js";

const styled: Look = { paint: paintFor({ isTTY: true }, {}), isStyled: true };
const plain: Look = { paint: (_style, text) => text, isStyled: false };

/** The rows of a whole text. */
function rows(text: string, columns: number, look = plain): readonly string[] {
  const growing = growingMarkdown(look);
  growing.add(text);
  growing.end();
  return growing.rows(columns).rows;
}

/** A sequence that begins a style or a link. */
const ESC = "\u001b";
const SEQUENCES = new RegExp(`${ESC}\\[[\\d;]*m|${ESC}\\]8;;[^${ESC}]*${ESC}\\\\`, "g");

/** The text of rows without styles and links. */
const bare = (all: readonly string[]) => all.map((row) => row.replace(SEQUENCES, ""));

test("paragraphs break at blanks, and between Chinese characters but before no closing mark", () => {
  expect(rows("one two three four", 9)).toEqual(["one two", "three", "four"]);
  expect(rows("在终端里，中文", 8)).toEqual(["在终端", "里，中文"]);
});

test("the rows of a list hang behind its marks, also of a list within it", () => {
  expect(rows("9. first item here\n10. second\n    - inner words here", 14)).toEqual([
    " 9. first item",
    "    here",
    "10. second",
    "    - inner",
    "      words",
    "      here",
  ]);
});

test("a table that fits has columns, and one that does not becomes a row for each cell", () => {
  const table = "| File | Lines |\n| --- | ---: |\n| a.ts | 12 |\n| b.ts | 7 |";
  expect(rows(table, 40)).toEqual(["File │ Lines", "─────┼──────", "a.ts │    12", "b.ts │     7"]);
  expect(rows(table, 10)).toEqual([
    "- File:",
    "  a.ts",
    "  Lines:",
    "  12",
    "",
    "- File:",
    "  b.ts",
    "  Lines: 7",
  ]);
});

const long = `| Name | Size | What it is for |
| --- | ---: | --- |
| alpha | 12 | the first of the rows, with a cell that is rather long for its column |
| beta | 3,400 | 中文的第二行也很长，所以要换行 |`;

test("a table with one long cell stays a table at 40, 80 and 200 columns: the cell is broken within its column", () => {
  expect(rows(long, 40)).toEqual([
    "Name  │  Size │ What it is for",
    `──────┼───────┼─${"─".repeat(24)}`,
    "alpha │    12 │ the first of the rows,",
    "      │       │ with a cell that is",
    "      │       │ rather long for its",
    "      │       │ column",
    `──────┼───────┼─${"─".repeat(24)}`,
    "beta  │ 3,400 │ 中文的第二行也很长，所以",
    "      │       │ 要换行",
  ]);
  expect(rows(long, 80)).toEqual([
    "Name  │  Size │ What it is for",
    `──────┼───────┼─${"─".repeat(64)}`,
    "alpha │    12 │ the first of the rows, with a cell that is rather long for its",
    "      │       │ column",
    `──────┼───────┼─${"─".repeat(64)}`,
    "beta  │ 3,400 │ 中文的第二行也很长，所以要换行",
  ]);
  expect(rows(long, 200)).toEqual([
    "Name  │  Size │ What it is for",
    `──────┼───────┼─${"─".repeat(69)}`,
    "alpha │    12 │ the first of the rows, with a cell that is rather long for its column",
    "beta  │ 3,400 │ 中文的第二行也很长，所以要换行",
  ]);
});

test("a table keeps at least eight columns for each long cell, and is told by rows where it has not as many", () => {
  const words = "one two three four";
  const wide = `| a | b | c |\n| - | - | - |\n| ${words} | ${words} | x |`;
  expect(rows(wide, 23)).toEqual([
    "a        │ b        │ c",
    "─────────┼──────────┼──",
    "one two  │ one two  │ x",
    "three    │ three    │",
    "four     │ four     │",
  ]);
  expect(rows(wide, 22)[0]).toBe("- a: one two three");
});

test("code has its colours, and a row that continues a long line has a mark", () => {
  const code = "```ts\nconst a = 1;\n```";
  const [row = ""] = rows(code, 40, styled);
  expect(row.startsWith(`  ${ESC}[35mconst${ESC}[39m`)).toBe(true);
  expect(bare([row])).toEqual(["  const a = 1;"]);
  expect(rows("```\none two three\n```", 14)).toEqual(["  one two", "↪ three"]);
});

test("a link leads to its address, but for one that may not be opened, whose address is told", () => {
  expect(rows("[docs](https://a.example/b c)".replace(" c", ""), 40, styled)).toEqual([
    "\u001b]8;;https://a.example/b\u001b\\\u001b[4mdocs\u001b[24m\u001b]8;;\u001b\\",
  ]);
  expect(bare(rows("[docs](javascript:alert(1))", 40, styled))).toEqual(["docs (javascript:alert(1))"]);
  expect(rows("[docs](https://a.example)", 60)).toEqual(["docs (https://a.example)"]);
});

test("an agent's escape sequences are visible text in every kind of block", () => {
  const evil = "\u001b]52;c;eA==\u0007";
  const all = [
    evil,
    `# ${evil}`,
    `- ${evil}`,
    `\`${evil}\``,
    `\`\`\`\n${evil}\n\`\`\``,
    `[x](https://a.b/${evil})`,
  ];
  for (const text of all)
    expect(bare(rows(text, 200, styled)).join("")).not.toMatch(new RegExp(String.fromCharCode(27)));
});

test("markup that has only begun is shown in its style while the text grows", () => {
  const growing = growingMarkdown(styled);
  growing.add("It is **bold te");
  expect(growing.rows(40).rows).toEqual(["It is \u001b[1mbold te\u001b[22m"]);
  growing.add("xt** and [a li");
  expect(bare(growing.rows(40).rows)).toEqual(["It is bold text and a li"]);
  growing.add("nk](https://a.exam");
  expect(bare(growing.rows(40).rows)).toEqual(["It is bold text and a link"]);
});

test("without colours the marks of the text stay", () => {
  expect(rows("# Head\n\n**bold** and `code`", 40)).toEqual(["# Head", "", "**bold** and `code`"]);
});

test("the first blocks of a growing text are firm, and are not shown again once they are written", () => {
  const growing = growingMarkdown(plain);
  growing.add("one\n\ntwo\n\nthree");
  const { rows: all, firm } = growing.rows(40);
  expect([all, firm]).toEqual([["one", "", "two", "", "three"], 1]);
  growing.wrote();
  expect(growing.rows(40).rows).toEqual(["", "two", "", "three"]);
});

test("a text that is shown as it was written keeps its marks, and its whole lines are firm", () => {
  const growing = growingLines(plain, "  ");
  growing.add("**a**\nb");
  expect(growing.rows(40)).toEqual({ rows: ["  **a**", "  b"], firm: 1 });
});
