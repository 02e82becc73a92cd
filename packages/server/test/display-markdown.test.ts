import fc from "fast-check";
import { expect, test } from "vitest";
import { displayMarkdown } from "../src/internal.js";

/** The lines of a change as an approval that is put as a question shows them. */
function marked(old_text: string, new_text: string): string[] {
  const [, , , ...lines] = displayMarkdown([{ type: "diff", path: "a", old_text, new_text }]).split("\n");
  return lines.slice(0, -1);
}

test("a line that is added beside one that is equal to it is shown (P-XAO-5)", () => {
  expect(marked("a\nb", "a\nb\nb")).toEqual([" a", " b", "+b"]);
  expect(marked("a\nb\nb", "a\nb")).toEqual([" a", " b", "-b"]);
});

test("a block without a part of it is shown without", () => {
  const shell = { type: "shell", command: "ls" };
  expect(displayMarkdown([shell as never, { type: "brief", text: "of what is there" }])).toBe(
    "```\nls\n```\n\nof what is there",
  );
});

test("no line of a change is hidden: what goes and stays is the text before, what comes and stays the text after", () => {
  const text = fc.array(fc.constantFrom("a", "b", "-", "+ c"), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = marked(before.join("\n"), after.join("\n"));
      const all = (sign: string) => lines.filter((line) => line[0] !== sign).map((line) => line.slice(1));
      expect([all("+"), all("-")]).toEqual([before, after]);
    }),
  );
});
