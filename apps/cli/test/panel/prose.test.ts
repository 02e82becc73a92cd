import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { folderWith } from "../askwire.js";
import { askAt, key, press, report, start } from "./at-panel.js";
import { APPROVAL, approvalShown } from "./in-turn.js";
import { chose, colour, said, sizes } from "./key-rows.js";

describe("prose at an approval", () => {
  const typed = ["wait a minute", "stop it", "不要", "yes, but not yet", "a minute", "1 more thing", "no"];
  test.each([
    ...typed.map((words) => [words, "typed", words]),
    ["y", "pasted", key.paste("y")],
    ["wait a minute\nand test", "pasted", key.paste("wait a minute\r\nand test\n")],
  ])("“%s”, %s at an approval, and Enter reject with those words", async (words, _how, keys) => {
    const { terminal, received } = await approvalShown();
    terminal.type(`${keys}\r`);
    expect(await received("a")).toMatchObject({ result: { response: "reject", feedback: words } });
    await terminal.waitForRows(/○ rm -r build → rejected: /);
  });

  test("prose that continues after a lone letter rejects an approval, wherever the letter moved the cursor", async () => {
    const { terminal, received } = await approvalShown();
    await press(terminal, [
      ["a", /❯ 2\. Approve.* for/],
      [" minute", /❯ 4\..* minute/],
      [key.tab, /❯ 4\./],
      key.enter,
    ]);
    const { result } = await received("a");
    expect(result).toMatchObject({ response: "reject", feedback: expect.stringMatching(/^(a )?minute$/) });
  });

  test("prose at an approval writes no file, and neither do blanks", async () => {
    const call = { id: "1", name: "WriteFile", arguments: JSON.stringify({ path: "a.txt", content: "a" }) };
    const cwd = await folderWith({ "s.json": JSON.stringify([`tool_call: ${JSON.stringify(call)}`]) });
    const terminal = start(["chat", "--script", "s.json", "--prompt", "go"], { cwd });
    await terminal.waitForRows(APPROVAL);
    await press(terminal, [[`  ${key.enter}`, "Type an answer first"], "wait a minute\r"]);
    await terminal.waitFor(/→ rejected: wait a minute\n/);
    await expect(readFile(join(cwd, "a.txt"))).rejects.toThrow("ENOENT");
  });
});

test("a letter and Enter at once approve nothing: the row is shown, and Enter is asked for again", async () => {
  const { terminal, received } = await approvalShown();
  await press(terminal, [
    ["a\r", /❯ 2\. Approve.* for[\s\S]*! Press Enter once more to confirm\./],
    ["y\r", /❯ 1\. Approve[\s\S]*! Press Enter once more to confirm\./],
    key.enter,
  ]);
  expect(await received("a")).toMatchObject({ result: { response: "approve" } });
});

describe("prose at a question", () => {
  test.each([
    ["one choice", colour, "2 weeks, 1 day", []],
    ["several choices", sizes, " 1 2 of 3", [key.enter]],
  ])("prose at %s chooses no option, but is the answer", async (_kind, asked, words, more) => {
    const terminal = await askAt([asked]);
    await press(terminal, [[words, words.trim()], key.enter, ...more]);
    expect((await report(terminal)).items).toEqual([said(1, words)]);
  });

  test("prose on the page to review submits nothing, and the page says so", async () => {
    const terminal = await askAt([colour, sizes]);
    await press(terminal, [
      [key.enter, "Which sizes?"],
      key.space,
      [key.enter, /❯ 1\. Submit answers/],
      ["1 more thing\r", "No words can be typed here"],
      [key.down, /❯ 2\. Cancel/],
      [key.up, /❯ 1\. Submit answers/],
      key.enter,
    ]);
    expect((await report(terminal)).items).toEqual([chose(1, 1), chose(2, 1)]);
  });
});
