import { lineEndWords } from "@askwire/client/text";
import { expect, test } from "vitest";

test.each([
  ["CR LF that goes", "one\r\ntwo\r\n", "one\ntwo\n", "Line ends change: CR LF before, LF after."],
  [
    "an end that comes beside",
    "a\r\nb\r\n",
    "a\r\nx\nb\r\n",
    "Line ends change: CR LF before, CR LF and LF after.",
  ],
  ["CR alone that goes", "a\rb\nc\n", "a\nb\nc\n", "Line ends change: LF and CR before, LF after."],
  [
    "the end of one line whose line feed is left out",
    "two\r",
    "two",
    "Line ends change: CR LF before, LF after.",
  ],
  ["words alone", "one\r\ntwo\r\n", "one\r\n2\r\n", ""],
  ["words of one line alone", "two\r", "2\r", ""],
  ["words between mixed ends", "a\r\nb\nc", "a\r\nx\nc", ""],
  ["a file that is new", "", "one\r\n", ""],
  ["the end of the last line that goes", "one\n", "one", ""],
  ["a separator of Unicode that comes", "a\n", "a\u2028b\n", ""],
])("a change of %s is reported where the ends of lines differ", (_, before, after, said) => {
  expect(lineEndWords.en(before, after)).toBe(said);
});

test("a change of the ends of lines is reported in Chinese too", () => {
  expect(lineEndWords.zh("a\r\n", "a\nb\n")).toBe("行尾有变：修改前 CR LF，修改后 LF。");
});
