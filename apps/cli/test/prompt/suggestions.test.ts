import { describe, expect, test } from "vitest";
import type { Suggests } from "../../src/prompt/suggestion-list.js";
import { linesOnScreen } from "../lent-terminal.js";
import { key } from "../panel/at-panel.js";

const known = ["/help", "/history", "/output", "@src/", "@src/main.ts", "@README.md"];
const find: Suggests = (begun) =>
  known
    .filter((word) => word.startsWith(begun))
    .map((word) => ({ word, about: word === "/help" ? "helps" : "" }));

/** A prompt on a screen that suggests the known words. */
function prompted(size?: { columns: number; rows: number }) {
  const terminal = linesOnScreen(size);
  terminal.lines.suggests(find);
  return { ...terminal, line: terminal.lines.next("> ", undefined, { below: true }) };
}

describe("words suggested while one types", () => {
  test("commands that begin with what is typed stand below the prompt, and fewer with each letter", async () => {
    const { type, sees } = prompted();
    type("/h");
    await sees("> /h\n  /help     helps\n  /history");
    type("i");
    await sees("> /hi\n  /history");
    type("x");
    await sees("> /hix");
  });

  test("Tab puts the first one in, and Enter then sends it", async () => {
    const { type, sees, line } = prompted();
    type("/h\t");
    await sees("> /help");
    type("\r");
    expect(await line).toBe("/help ");
  });

  test("arrows go to another, which Tab or Enter puts in", async () => {
    const { type, sees, line } = prompted();
    type(`/h${key.down}${key.down}`);
    await sees("> /h\n  /help     helps\n❯ /history");
    type("\r");
    await sees("> /history");
    type("\r");
    expect(await line).toBe("/history ");
  });

  test("an Enter sends what was typed while no other word was gone to", async () => {
    const { type, line } = prompted();
    type("/h\r");
    expect(await line).toBe("/h");
  });

  test("Esc closes the list, and a further letter opens it again", async () => {
    const { type, sees } = prompted();
    type("/h");
    await sees(/helps/);
    type("\u001b");
    await sees("> /h");
    type("e");
    await sees("> /he\n  /help  helps");
  });

  test("a file behind @ is suggested in the middle of words, and a folder is gone into", async () => {
    const { type, sees, line } = prompted();
    type("see @s\t");
    await sees("> see @src/\n  @src/\n  @src/main.ts");
    type(`m\tplease\r`);
    expect(await line).toBe("see @src/main.ts please");
  });

  test("a text from the history opens no list, so that the arrows go on in the history", async () => {
    const { type, sees, lines, line } = prompted();
    type("first\r");
    await line;
    void lines.next("> ", undefined, { below: true });
    type("/h\r");
    void lines.next("> ", undefined, { below: true });
    type(key.up);
    await sees("> first\n> /h\n> /h");
    type(key.up);
    await sees("> first\n> /h\n> first");
  });

  test("a small window shows a part of the list around the marked word, and the draft", async () => {
    const { type, sees } = prompted({ columns: 10, rows: 5 });
    type(`/${key.down.repeat(3)}`);
    await sees("> /\n❯ /output");
  });

  test("a word that asks a person line by line gets no suggestions", async () => {
    const { lines, type, sees } = linesOnScreen();
    lines.suggests(find);
    void lines.next("y or n > ");
    type("/h");
    await sees("y or n > /h");
  });
});
