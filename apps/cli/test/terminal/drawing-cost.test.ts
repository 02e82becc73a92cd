import { visibleLine } from "@askwire/client/text";
import { terminalWords } from "@askwire/client/words";
import { describe, expect, test } from "vitest";
import { CallLine } from "../../src/terminal/call-line.js";
import { countChanges, unifiedDiff } from "../../src/terminal/diff.js";
import { linesOnScreen, notingBorrower } from "../lent-terminal.js";

/** The processor's milliseconds that something takes, whatever else this machine does. */
function cost(action: () => void): number {
  const before = process.cpuUsage();
  action();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

test("a text of nothing but blanks is put on one line at once, however long it is", () => {
  const blanks = " ".repeat(131_072);
  let line = "";
  expect(cost(() => (line = visibleLine(`${blanks}x`)))).toBeLessThan(1_000);
  expect(line).toBe("␣×131072x");
});

test.each([
  ["a \n\n  b", "a b"],
  ["a\nb", "a b"],
  ["a  b", "a  b"],
  ["\n a\t\n", " a "],
])("line feeds become one blank together with the blanks around them: %j", (text, line) => {
  expect(visibleLine(text)).toBe(line);
});

test("a long question that comes in small pieces with its call does not hold up the rest", () => {
  const line = new CallLine("AskUserQuestion", (_style, text) => text, terminalWords.en.chat, 80);
  const options = Array.from({ length: 600 }, (_, index) => ({ label: `option ${index} of a long list` }));
  const json = JSON.stringify({ question: "word ".repeat(1_600), options });
  let written = "";
  const taken = cost(() => {
    for (let at = 0; at < json.length; at += 4) written += line.more(json.slice(at, at + 4));
  });
  expect(taken).toBeLessThan(5_000);
  expect(written.length).toBeLessThan(20_000);
  expect(written).toMatch(/Agent has a question for you: (word )+.*…$/);
});

describe("a difference too long for a search of common lines", () => {
  const numbered = (word: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${word} ${index}\n`).join("");
  const change = (old_text: string, new_text: string) => ({
    path: "a.txt",
    old_text,
    new_text,
    old_start: 1,
    new_start: 1,
  });

  test("a very long difference is shown at once, everything removed before everything added", () => {
    const same = numbered("same", 5);
    const long = change(
      `${same}${numbered("old", 10_000)}${same}`,
      `${same}${numbered("new", 20_000)}${same}`,
    );
    let lines: readonly string[] = [];
    expect(cost(() => (lines = unifiedDiff(long)))).toBeLessThan(5_000);
    expect(lines).toHaveLength(1 + 3 + 10_000 + 20_000 + 3);
    expect(lines.slice(0, 5)).toEqual(["@@ -3,10006 +3,20006 @@", " same 2", " same 3", " same 4", "-old 0"]);
    expect(lines.slice(-4)).toEqual(["+new 19999", " same 0", " same 1", " same 2"]);
    expect(countChanges(long)).toEqual({ added: 20_000, removed: 10_000 });
  });

  test("a very long difference says where a file has no line feed at its end, if the other has one", () => {
    const lines = unifiedDiff(change(`${numbered("old", 5_000)}end`, `${numbered("new", 5_000)}end\n`));
    expect(lines.slice(5_000, 5_004)).toEqual([
      "-old 4999",
      "-end",
      "\\ No newline at end of file",
      "+new 0",
    ]);
    expect(lines.at(-1)).toBe("+end");
  });
});

test("half a line that never ends is written while a panel is open, and not kept without bound", async () => {
  const { lines, output } = linesOnScreen();
  const loan = lines.lend(notingBorrower().borrower);
  let written = 0;
  const write = output.write.bind(output);
  Object.assign(output, {
    write(text: string) {
      written += text.length;
      return write(text);
    },
  });
  expect(
    cost(() => {
      for (let piece = 0; piece < 100_000; piece += 1) lines.write("abcd");
    }),
  ).toBeLessThan(5_000);
  await new Promise((resolve) => setImmediate(resolve));
  expect(written).toBeGreaterThan(300_000);
  loan?.end();
});
