import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { folderWith } from "../askwire.js";
import type { Terminal } from "../terminal.js";
import { askAt, key, lookAndEnter, press, reject } from "./at-panel.js";
import { inTurn } from "./in-turn.js";
import { shell } from "./shell.js";

const colour = { question: "Which colour?", header: "Colour", options: ["Red", "Green", "Blue"] };
const sizes = { question: "Which sizes?", header: "Sizes", options: ["S", "M", "L"], multi_select: true };

const flags = "--question 'Which colour?' --option Red --option Green";

/** The terminal of these tests is made of xterm.js, as that of this name is. */
const env = { TERM_PROGRAM: "vscode" };

/** Sequences that would remove the text above: the screen, or its scrollback. */
const WIPES = ["\u001b[2J", "\u001b[3J", "\u001b[H", "\u001b[1;1H", "\u001bc"];

function wiped({ sent }: Terminal): string[] {
  return WIPES.filter((sequence) => sent.includes(sequence)).map((sequence) => JSON.stringify(sequence));
}

/** Resolves once a frame was painted behind this much of what was sent. */
const painted = (terminal: Terminal, length: number) =>
  expect.poll(() => terminal.sent.indexOf("\u001b[?2026l", length), { interval: 5 }).not.toBe(-1);

describe("a small terminal", () => {
  test("a terminal of 20 by 5 shows what is asked and the current row, and takes the answer", async () => {
    const terminal = await askAt([colour, sizes], { columns: 20, rows: 5 });
    await press(terminal, [
      [key.down, /Which colour\?[\s\S]*❯ 2\. Green/],
      [`${key.down}${key.down}mauve`, /Which colour\?[\s\S]*❯ 4\..*mauve/],
      [key.up + key.enter, /Which sizes[\s\S]*❯ 1\. \[ \] S/],
      [key.space, /❯ 1\. \[✔\] S/],
      [key.enter, /❯ 1\. Submit/],
      lookAndEnter,
    ]);
    const { exitCode } = await terminal.ended;
    expect(exitCode).toBe(0);
    expect(terminal.screen()).toContain("● Which colour?\n  → Blue\n● Which sizes?\n  → S\n");
    expect(wiped(terminal)).toEqual([]);
  });

  test.each([
    [10, 3],
    [8, 2],
    [2, 2],
  ])("a terminal of %i by %i takes the answer too, and is restored", async (columns, rows) => {
    const cwd = await folderWith();
    const { terminal, changed } = shell(`run ask ${flags} >out`, { cwd, columns, rows });
    await terminal.waitFor("❯");
    terminal.type(key.down + key.enter);
    await expect.poll(() => terminal.sent).toContain("finished");
    expect(JSON.parse(await readFile(join(cwd, "out"), "utf8")).answers).toEqual({
      "Which colour?": "Green",
    });
    expect(await changed()).toEqual([]);
  });

  test("a terminal of one row has no room for a question, and Ctrl-C ends it", async () => {
    const cwd = await folderWith();
    const { terminal, changed } = shell(`run ask ${flags} >out; echo "exit $?" >code`, { cwd, rows: 1 });
    await expect.poll(() => terminal.sent).toContain("\u001b[?2026l");
    terminal.type(key.ctrl("c"));
    await expect.poll(() => terminal.sent).toContain("finished");
    expect(await readFile(join(cwd, "code"), "utf8")).toBe("exit 130\n");
    expect(await changed()).toEqual([]);
  });

  test("an approval in a terminal of 20 by 5 says what is approved", async () => {
    const { terminal, approves, received } = await inTurn({ columns: 20, rows: 5 });
    approves("rm -rf build");
    await terminal.waitForRows(/rm -rf build[\s\S]*❯[\s\S]*Approve \(y\)/);
    await press(terminal, reject);
    expect((await received("a")).result).toMatchObject({ response: "reject" });
  });
});

describe("a terminal that gets another size while a panel is open", () => {
  const turns: readonly (readonly [string, readonly (readonly [number, number])[]])[] = [
    ["narrower", [[50, 24]]],
    ["much narrower", [[24, 24]]],
    ["wider", [[120, 24]]],
    ["lower", [[80, 12]]],
    ["higher", [[80, 40]]],
    ["lower and higher", [80, 80, 80].map((columns, index) => [columns, [10, 30, 24][index] as number])],
    [
      "there and back",
      [
        [40, 24],
        [80, 24],
      ].map(([columns = 0, rows = 0]) => [columns, rows]),
    ],
    ["often", Array.from({ length: 21 }, (_, index) => [80 - ((index * 17) % 50), 24 - ((index * 7) % 12)])],
  ];
  test.each(turns)(
    "a terminal that is resized (%s) has one panel, with what stood above it",
    async (_how, sizesThen) => {
      const { terminal, says, asks, received } = await inTurn({ env });
      says("Line one, which stands above.\nLine two.\n");
      await terminal.waitFor("Line two.");
      asks({ question: "Which database?", options: [{ label: "SQLite" }, { label: "PostgreSQL" }] });
      await terminal.waitForRows(/Which database\?[\s\S]*Esc/);
      for (const [index, [columns, rows]] of sizesThen.entries()) {
        terminal.resize(columns, rows);
        await press(terminal, [[key.down, new RegExp(`❯ ${((index + 1) % 3) + 1}\\.`)]]);
      }
      terminal.type("own words");
      const shown = await terminal.waitForRows(/Which database\?[\s\S]*❯ 3\..*own words/);
      expect(shown.split("Which database?")).toHaveLength(2);
      expect(shown.split("SQLite")).toHaveLength(2);
      terminal.type(key.enter);
      expect((await received("r")).result.answers).toEqual({ "Which database?": "own words" });
      await terminal.waitForRows(/● Which database\?\n {2}→ own words/);
      expect(terminal.rows().join("\n")).not.toContain("SQLite");
      expect(terminal.screen()).toContain("Line one, which stands above.\nLine two.\n");
      expect(wiped(terminal)).toEqual([]);
    },
  );

  test("a panel whose answer is piped has the size of the terminal, narrower and wider, wherever the output goes", async () => {
    const cwd = await folderWith();
    const { terminal } = shell(`askwire ask ${flags} | cat >out`, { cwd, env });
    await terminal.waitForRows(/❯ 1\. Red[\s\S]*↑↓ move · Enter choose · Tab own text · Esc decline/);
    terminal.resize(30, 24);
    await terminal.waitForRows(/❯ 1\. Red[\s\S]*\nEnter choose · Esc decline$/);
    terminal.resize(90, 24);
    const shown = await terminal.waitForRows(/↑↓ move · Enter choose · Tab own text · Esc decline/);
    expect(shown.split("Which colour?")).toHaveLength(2);
    terminal.type(key.down + key.enter);
    await terminal.waitFor("finished");
    expect(JSON.parse(await readFile(join(cwd, "out"), "utf8")).answers).toEqual({
      "Which colour?": "Green",
    });
  });

  test("a frame is never as tall as the terminal, whatever there is to show", async () => {
    const body = Array.from({ length: 100 }, (_, line) => `Line ${line + 1}.`).join("\n");
    const options = Array.from({ length: 30 }, (_, index) => ({ label: `Option ${index + 1}` }));
    const { terminal, asks, says, received } = await inTurn({ env });
    says("Above.\n");
    await terminal.waitFor("Above.");
    asks({ question: "Which?", body, options });
    await terminal.waitForRows(/Which\?[\s\S]*Esc/);
    for (const rows of [30, 12, 6, 4, 24]) {
      const { length } = terminal.sent;
      terminal.resize(80, rows);
      await painted(terminal, length);
      const frame = terminal.sent.slice(terminal.sent.lastIndexOf("\u001b[?2026h"));
      expect(frame.split("\r\n").length - 1).toBeLessThan(rows);
    }
    terminal.type(key.escape);
    await received("r");
    await terminal.waitFor("Above.");
    expect(terminal.screen().split("Above.")).toHaveLength(2);
  });
});

describe("the cursor of the terminal", () => {
  /** The place of the cursor once the row of own text matches, and the text before it. */
  async function caret(terminal: Terminal, row: RegExp): Promise<string> {
    await terminal.waitForRows(row);
    const at = terminal.cursor();
    if (at === undefined) return "hidden";
    const line = terminal.rows()[at.row] ?? "";
    let width = 0;
    let before = "";
    for (const character of `${line}${" ".repeat(80)}`) {
      if (width >= at.column) break;
      width += /[\u4e00-\u9fff]/u.test(character) ? 2 : 1;
      before += character;
    }
    return before;
  }

  test("the cursor is where the person types, even after and between wide characters", async () => {
    const terminal = await askAt([colour]);
    expect(await caret(terminal, /❯ 1/)).toBe("hidden");
    terminal.type("ab");
    expect(await caret(terminal, /❯ 4\. .*ab/)).toMatch(/^❯ 4\. .*ab$/);
    terminal.type("数据");
    expect(await caret(terminal, /ab数据/)).toMatch(/^❯ 4\. .*ab数据$/);
    terminal.type(`${key.left}c`);
    expect(await caret(terminal, /ab数c据/)).toMatch(/^❯ 4\. .*ab数c$/);
    terminal.type(`${key.home}d`);
    expect(await caret(terminal, /dab数c据/)).toMatch(/^❯ 4\. .* d$/);
    terminal.type(key.up);
    expect(await caret(terminal, /❯ 3/)).toBe("hidden");
    terminal.type(key.ctrl("c"));
    await terminal.ended;
    expect(terminal.cursor()).toBeDefined();
  });

  test("the cursor stays in view while a long text is typed", async () => {
    const terminal = await askAt([{ question: "What?" }], { columns: 30 });
    terminal.type(`${"数据库".repeat(30)}完`);
    expect(await caret(terminal, /完/)).toMatch(/数据库完$/);
    expect((terminal.cursor()?.column ?? 99) < 30).toBe(true);
    terminal.type(`${key.home}x`);
    expect(await caret(terminal, /x数据/)).toMatch(/^❯ x$/);
    terminal.type(key.enter);
    await terminal.ended;
    expect(terminal.sent).toContain(`"own_text":"x${"数据库".repeat(30)}完"`);
  });
});
