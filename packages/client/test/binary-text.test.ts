import { expect, test } from "vitest";
import { isBinaryChange } from "../src/text/index.js";

const bytes = "\u0089PNG\0\u0001\ufffd\u0002".repeat(40);
/** Letters in another encoding than UTF-8, as they are read. */
const letters = "\ufffd\ufffd \ufffd\ufffd\ufffd\n".repeat(9);

test.each([
  ["a new picture", "", bytes, true],
  ["a picture that goes", bytes, "", true],
  ["a picture that changes", bytes, `${bytes}${bytes}`, true],
  ["a picture that becomes a text", bytes, "words\n", false],
  ["a text that becomes a picture", "words\n", bytes, false],
  ["a text with a NUL", "words\n", "words\n\0", false],
  ["a new text with a NUL", "", "rm -r ~\0", false],
  ["a long text with some NULs", "", `${"words\n".repeat(400)}${"\0".repeat(20)}`, false],
  ["letters in another encoding", letters, `${letters}${letters}`, false],
  ["nothing", "", "", false],
])("%s is told as a change of bytes only where no side of it is text", (_, old_text, new_text, is) => {
  expect(isBinaryChange({ old_text, new_text })).toBe(is);
});
