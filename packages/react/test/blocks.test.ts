import fc from "fast-check";
import { expect, test } from "vitest";
import { type Blocks, blocksOf, headingLevels } from "../src/markdown/blocks.js";

const lines = fc.array(
  fc.constantFrom(
    ...[
      "# a",
      "### b",
      "text",
      "- item",
      "  more",
      "    deep",
      "1. one",
      "> quote",
      "```",
      "~~~",
      "---",
      "===",
    ],
    ...[
      "| a | b |",
      "|-|-|",
      "| 1 | 2 |",
      "",
      "",
      "[x]: https://example.com",
      "[x] there",
      "<div>",
      "**b",
      "\t- c",
    ],
  ),
  { maxLength: 24 },
);

const raw = ({ list }: Blocks) => list.map((block) => block.raw);

test("the blocks of a text together are the text", () => {
  fc.assert(
    fc.property(lines, (written) => {
      const text = written.join("\n");
      expect(raw(blocksOf(text)).join("")).toBe(text);
    }),
  );
});

test("a text that came in pieces has the blocks and links of the whole", () => {
  fc.assert(
    fc.property(lines, fc.array(fc.nat(200), { maxLength: 6 }), (written, cuts) => {
      const text = written.join("\n");
      const pieces = cuts.sort((a, b) => a - b).map((at) => text.slice(0, at));
      const grown = [...pieces, text].reduce<Blocks | undefined>(
        (before, now) => blocksOf(now, before),
        undefined,
      );
      const whole = blocksOf(text);
      expect(raw(grown as Blocks)).toEqual(raw(whole));
      expect({ ...grown?.links }).toEqual({ ...whole.links });
    }),
    { numRuns: 500 },
  );
});

test("headings begin at the level that they may, and leave none out", () => {
  const levels = (text: string) => {
    const { list } = blocksOf(text);
    return headingLevels(list, 3).filter((_, at) => list[at]?.depth !== undefined);
  };
  expect(levels("# a\n\n### b\n\n## c\n\n# d\n")).toEqual([3, 4, 4, 3]);
  expect(levels("#### a\n\n# b\n\n## c\n")).toEqual([3, 3, 4]);
  expect(levels("# a\n\n## b\n\n### c\n\n#### d\n\n##### e\n")).toEqual([3, 4, 5, 6, 6]);
});
