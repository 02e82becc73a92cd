import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { asksLine, askwire, colour, colourScript, folderWith, startAskwire } from "../askwire.js";
import { key, press, start } from "./at-panel.js";
import { shell } from "./shell.js";

/** The cursor goes to another line. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they begin with one.
const UPWARDS = /\u001b\[\d*(;\d*)?[ABEFHdf]|\u001b[M78]/;

const flags = `--question 'Which colour?' --option Red --option Green`;
const asked = JSON.stringify({ questions: [{ question: "Which colour?", options: ["Red", "Green"] }] });
const chosen = { answers: { "Which colour?": "Green" }, items: [{ question_id: "q1", selected: ["q1_o2"] }] };

describe("askwire without a terminal", () => {
  test("a conversation without a terminal takes one answer a line", async () => {
    const other = { question: "Which size?", options: [{ label: "S" }, { label: "M" }] };
    const script = JSON.stringify([asksLine([colour, other]), "text: Thanks."]);
    const cwd = await folderWith({ "s.json": script });
    const args = ["chat", "--script", "s.json", "--prompt", "go"];
    const { stdout, stderr, status } = await askwire(args, { cwd, input: "2\nM\n" });
    expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
    expect(stdout).toMatch(/2\. Blue[\s\S]*Which size\?[\s\S]*Thanks\./);
    expect(stdout).not.toContain("\u001b");
  });

  test("a question without a terminal ends at once, while its standard input stays open", async () => {
    const { ended } = startAskwire(["ask", "--question", "Deploy?"], { detached: true });
    const { stdout, stderr, status } = await ended;
    expect(status).toBe(4);
    expect(JSON.parse(stdout).outcome).toMatchObject({ status: "unavailable", reason: "unattended" });
    expect(stderr).toContain("there is no terminal to ask at");
  });
});

describe("a panel of `ask` in a shell script", () => {
  test.each([
    ["with standard input and output piped", "cat q.json | askwire ask | cat >out"],
    ["with the output in a file", `askwire ask ${flags} >out`],
    ["inside $(…)", `x=$(askwire ask ${flags}); printf '%s\\n' "$x" >out`],
    ["with its messages in a file too", `askwire ask ${flags} >out 2>log`],
  ])("the panel of `ask` %s disappears, and the answer alone is the output", async (_how, script) => {
    const cwd = await folderWith({ "q.json": asked });
    const { terminal, changed } = shell(script, { cwd });
    await terminal.waitForRows(/Which colour\?[\s\S]*❯ 1\. Red/);
    await press(terminal, [[key.down, /❯ 2\. Green/], key.enter]);
    const screen = await terminal.waitFor("finished");
    expect(screen).toMatch(/^● Which colour\?\n {2}→ Green\nfinished$/);
    const out = await readFile(join(cwd, "out"), "utf8");
    expect(out.split("\n")).toHaveLength(2);
    expect(JSON.parse(out)).toMatchObject({ ...chosen, outcome: { status: "answered", by: "human" } });
    expect(await changed()).toEqual([]);
    terminal.type("echoed?");
    await terminal.waitFor("echoed?");
  });
});

describe("terminals where nothing can be drawn", () => {
  test.each([[[]], [["--plain"]]])(
    "TERM=dumb asks line by line and never moves the cursor: %j",
    async (args) => {
      const cwd = await folderWith({ "s.json": colourScript });
      const env = { TERM: "dumb" };
      const terminal = start(["chat", "--script", "s.json", "--prompt", "go", ...args], { cwd, env });
      await terminal.waitFor("(/decline to decline) >");
      terminal.type("Blue\r");
      const screen = await terminal.waitFor(/Thanks\.\n>/);
      expect(screen).toMatch(/2\. Blue {2}like the sea\n[^\n]*\) > Blue\n[^>]*\nThanks\.\n>$/);
      expect(terminal.sent).not.toContain("\u001b");
    },
  );

  test("`ask` under TERM=dumb asks line by line too", async () => {
    const cwd = await folderWith();
    const { terminal, changed } = shell(`askwire ask ${flags} >out`, { cwd, env: { TERM: "dumb" } });
    await terminal.waitFor("(/decline to decline) >");
    terminal.type("2\r");
    await terminal.waitFor("finished");
    expect(JSON.parse(await readFile(join(cwd, "out"), "utf8"))).toMatchObject(chosen);
    expect(terminal.sent).not.toContain("\u001b");
    expect(await changed()).toEqual([]);
  });

  test("--plain draws no panel on any terminal, and redraws nothing but the line that is typed", async () => {
    const cwd = await folderWith({ "s.json": colourScript });
    const terminal = start(["chat", "--script", "s.json", "--prompt", "go", "--plain"], { cwd });
    await terminal.waitFor("(/decline to decline) >");
    terminal.type("Blue\r");
    await terminal.waitFor(/Thanks\.\n>/);
    expect(terminal.sent).not.toMatch(UPWARDS);
    for (const mode of ["\u001b[?2004h", "\u001b[?2026h", "\u001b[?25l", "\u001b[22;0t"])
      expect(terminal.sent).not.toContain(mode);
  });
});
