import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { folderWith } from "../askwire.js";
import type { Terminal, TerminalOptions } from "../terminal.js";
import { askAt, key, press, report, start } from "./at-panel.js";
import { inTurn } from "./in-turn.js";
import { shell } from "./shell.js";

const agent = fileURLToPath(new URL("./previewing-agent.mjs", import.meta.url));

/** A conversation with an agent that asks these questions, once their panel is there. */
async function asked(questions: readonly object[], options: TerminalOptions = {}): Promise<Terminal> {
  const cwd = await folderWith({ "q.json": JSON.stringify(questions) });
  const args = ["chat", "--prompt", "go", "--no-bell", "--", process.execPath, agent, join(cwd, "q.json")];
  const terminal = start(args, { cwd, ...options });
  await terminal.waitForRows(/❯[\s\S]*Esc/);
  return terminal;
}

const labels = (count: number) => Array.from({ length: count }, (_, index) => `Option ${index + 1}.`);
const lines = (count: number) => Array.from({ length: count }, (_, index) => `Line ${index + 1}.`).join("\n");

describe("a list longer than the screen", () => {
  const forty = { question: "Which of them?", options: labels(40) };

  test("a list longer than the screen shows its current row at every step, down past the end and up past the beginning", async () => {
    const terminal = await askAt([forty], { rows: 14 });
    const rows = [...labels(40).map((label, index) => `${index + 1}. ${label}`), "41. Other"];
    for (const row of [...rows.slice(1), rows[0]]) {
      terminal.type(key.down);
      await terminal.waitForRows(`❯ ${row}`.replace(/❯ (?=\d\.)/, "❯  "));
      expect(terminal.rows().join("\n")).toContain("Which of them?");
    }
    for (const row of rows.toReversed()) {
      terminal.type(key.up);
      await terminal.waitForRows(`❯ ${row}`.replace(/❯ (?=\d\.)/, "❯  "));
    }
    terminal.type(key.enter);
    expect((await report(terminal)).items).toMatchObject([{ selected: ["q1_o1"] }]);
  });

  test("a list longer than the screen says how many rows are above and below", async () => {
    const terminal = await askAt([forty], { rows: 14 });
    expect(await terminal.waitForRows("↓ ")).toMatch(/↓ \d+ more/);
    await press(terminal, [[key.down.repeat(20), /↑ \d+ more[\s\S]*❯ 21\.[\s\S]*↓ \d+ more/]]);
    await press(terminal, [[key.up.repeat(21), /↑ \d+ more[\s\S]*❯ 41\./]]);
    expect(terminal.rows().join("\n")).not.toMatch(/↓ \d+ more/);
  });

  test.each(["1", "5", "9"])(
    "a list longer than the screen takes the digit %s from anywhere",
    async (digit) => {
      const terminal = await askAt([{ ...forty, multi_select: true }], { rows: 14 });
      await press(terminal, [
        [key.down.repeat(30), /❯ 31\./],
        [digit, new RegExp(`❯ +${digit}\\. \\[✔\\] Option ${digit}\\.`)],
        key.enter,
      ]);
      expect((await report(terminal)).items).toMatchObject([{ selected: [`q1_o${digit}`] }]);
    },
  );
});

describe("the full text", () => {
  test("the full text scrolls by line and page to both ends, and nothing there answers", async () => {
    const { terminal, asks, received } = await inTurn({ args: ["--no-bell"], rows: 12 });
    asks({ question: "Agree?", body: lines(100), options: [{ label: "Yes" }, { label: "No" }] });
    await terminal.waitForRows(/❯[\s\S]*Ctrl-E/);
    await press(terminal, [
      [key.ctrl("e"), /Line 1\.[\s\S]*Esc back/],
      [key.pageDown, /^(?![\s\S]*Line 1\.)[\s\S]*Line 9\./],
      [key.pageUp, /Line 1\./],
      [key.end, /2\. No/],
      [key.up + key.up + key.pageUp, /^(?![\s\S]*2\. No)[\s\S]*Line 9\d\./],
      [key.home, /Line 1\./],
      [key.space, /^(?![\s\S]*Line 1\.)/],
      [key.end + key.pageDown + key.down, /2\. No/],
    ]);
    const before = terminal.rows();
    terminal.type(
      `12yYn${key.tab}${key.left}${key.right}${key.backspace}x${key.ctrl("d")}${key.paste("1\r")}`,
    );
    await press(terminal, [
      [key.up, /^(?![\s\S]*Other)/],
      [key.end, /Other/],
    ]);
    await expect.poll(() => terminal.rows(), { interval: 5 }).toEqual(before);
    await press(terminal, [["q", /❯ 1\. Yes/], key.down]);
    terminal.type(key.enter);
    expect((await received("r")).result.answers).toEqual({ "Agree?": "No" });
  });

  test("the full text is there for a long question without a body, and for 64 kB in one line", async () => {
    const long = `Is it so? ${"word ".repeat(13_000)}END`;
    const questions = [{ question: long, options: ["Yes", "No"] }];
    const cwd = await folderWith({ "q.json": JSON.stringify({ questions }) });
    const { terminal } = shell("askwire ask --questions q.json >out", { cwd });
    await terminal.waitForRows(/❯[\s\S]*Esc/);
    await press(terminal, [
      [key.ctrl("e"), /Is it so\?[\s\S]*Esc back/],
      [key.end, /END[\s\S]*2\. No/],
      [key.escape, /❯ 1\. Yes/],
      key.enter,
    ]);
    await terminal.waitFor("finished");
    expect(JSON.parse(await readFile(join(cwd, "out"), "utf8")).answers).toEqual({ [long]: "Yes" });
  });

  test("Ctrl-C declines in the full text too", async () => {
    const { terminal, asks, received } = await inTurn({ args: ["--no-bell"] });
    asks({ question: "Agree?", body: lines(100), options: [{ label: "Yes" }, { label: "No" }] });
    await terminal.waitForRows(/❯[\s\S]*Ctrl-E/);
    await press(terminal, [[key.ctrl("e"), "Esc back"]]);
    terminal.type(key.ctrl("c"));
    expect((await received("r")).result.answers).toEqual({});
  });

  test("leaving the full text keeps what was chosen and typed", async () => {
    const options = labels(3);
    const terminal = await askAt([{ question: `Which?\n${lines(40)}`, options, multi_select: true }]);
    await press(terminal, [
      ["2", /\[✔\] Option 2/],
      [key.down, /❯ 3\./],
      ["own", /❯ 4\..*own/],
      [key.ctrl("e"), "Esc back"],
      [key.ctrl("e"), /❯ 4\..*own/],
      ["er", "owner"],
      [key.enter, /❯ ✔/],
      key.enter,
    ]);
    expect((await report(terminal)).items).toMatchObject([{ selected: ["q1_o2"], own_text: "owner" }]);
  });
});

describe("previews", () => {
  const options = [
    { label: "TOML", preview: "[paint]\ncolour = 1" },
    { label: "JSON", preview: `{\n${'  "paint": 2,\n'.repeat(30)}}` },
    { label: "None" },
  ];
  const question = { question: "How is it kept?", options, own_text: false };

  test("previews beside the rows follow the cursor, and looking at one chooses nothing", async () => {
    const terminal = await asked([question], { columns: 100 });
    expect(terminal.rows().join("\n")).toMatch(/❯ 1\. TOML +╭─ Preview/);
    await press(terminal, [
      [key.down, /❯ 2\. JSON[\s\S]*"paint": 2[\s\S]*… \d+ more lines · Ctrl-E/],
      [key.down, /│ No preview available\.[\s\S]*❯ 3\. None/],
      [key.down, /❯ … Let's discuss this first/],
      [key.down, /❯ 1\. TOML[\s\S]*colour = 1/],
      [key.down, /❯ 2\. JSON/],
    ]);
    terminal.type(key.enter);
    expect(await terminal.waitFor("Got ")).toContain('"selected":["q1_o2"]');
  });

  test("previews of a closed question do nothing with what is typed or pasted", async () => {
    const terminal = await asked([question], { columns: 100 });
    const before = terminal.rows();
    terminal.type(`xyz9${key.paste("2\r3")}`);
    await press(terminal, [
      [key.down, /❯ 2\./],
      [key.up, /❯ 1\./],
    ]);
    await expect.poll(() => terminal.rows(), { interval: 5 }).toEqual(before);
    terminal.type(key.enter);
    expect(await terminal.waitFor("Got ")).toContain('"selected":["q1_o1"]');
  });

  test("previews in a narrow terminal stand below the rows, and in full in the full text", async () => {
    const terminal = await asked([question], { columns: 50, rows: 16 });
    expect(terminal.rows().join("\n")).toMatch(/❯ 1\. TOML\n[\s\S]*3\. None\n[\s\S]*╭─ Preview/);
    await press(terminal, [
      [key.ctrl("e"), /colour = 1/],
      [key.end, /│ {3}"paint": 2,\n[\s\S]*3\. None/],
      [key.escape, /❯ 1\. TOML/],
    ]);
    terminal.type(key.down + key.down + key.enter);
    expect(await terminal.waitFor("Got ")).toContain('"selected":["q1_o3"]');
  });

  test("previews that do not fit on a small terminal can be read in the full text", async () => {
    const terminal = await asked([question], { columns: 40, rows: 8 });
    expect(terminal.rows().join("\n")).not.toContain("╭");
    await press(terminal, [
      [key.ctrl("e"), "How is it kept?"],
      [key.pageDown, "[paint]"],
      [key.escape, /❯ 1\. TOML/],
    ]);
    terminal.type(key.enter);
    const screen = await terminal.waitFor(/Got[\s\S]*\}\]\.\n>$/);
    expect(screen.replaceAll("\n", "")).toContain('"selected":["q1_o1"]');
  });
});

test("2,000 keys in a panel with 100 options and a body of 64 kB are handled in a moment", async () => {
  const { terminal, asks, received } = await inTurn({ args: ["--no-bell"] });
  const options = Array.from({ length: 100 }, (_, index) => ({
    label: `Option ${index + 1}`,
    description: "what it means, at some length, so that it wraps. ".repeat(3),
  }));
  asks({ question: "Which?", body: "word ".repeat(13_107), options });
  await terminal.waitForRows(/❯ +1\. Option 1[\s\S]*Esc/);
  // 1,999 rows down, of 101.
  for (let count = 0; count < 20; count++) terminal.type(key.down.repeat(count < 19 ? 100 : 99));
  await terminal.waitForRows(/❯ +81\. Option 81/);
  terminal.type(key.enter);
  expect((await received("r")).result.answers).toEqual({ "Which?": "Option 81" });
});
