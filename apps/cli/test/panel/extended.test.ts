import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { folderWith } from "../askwire.js";
import type { TerminalOptions } from "../terminal.js";
import { key, press, start } from "./at-panel.js";

const agent = fileURLToPath(new URL("./asking-agent.mjs", import.meta.url));
const examples = fileURLToPath(new URL("../../../../examples", import.meta.url));

/** `askwire chat` with an agent that was prompted. */
async function prompted(prompt: string, options: TerminalOptions = {}) {
  const { cwd = await folderWith() } = options;
  return start(["chat", "--prompt", prompt, "--", process.execPath, agent], { rows: 30, ...options, cwd });
}

describe("a question with a deadline", () => {
  test("a question shows the time left to its deadline, the first key removes it, and the answer counts (P-XDL-3)", async () => {
    const terminal = await prompted("deadline 90000");
    const open = await terminal.waitForRows(
      /\d\d s left, then it is given up[\s\S]*Go on\?[\s\S]*Esc decline/,
    );
    const [left] = /\d\d s left/.exec(open) ?? [];
    await terminal.waitForRows(new RegExp(`(?!${left})\\b\\d\\d s left`));
    await press(terminal, [[key.down, /❯ 2\. No/]]);
    await expect.poll(() => terminal.rows().join("\n")).not.toContain("s left");
    await press(terminal, [[key.enter, /→ No\n[\s\S]*no, answered\.\n>$/]]);
  });

  test("a question whose deadline passes closes with one line, and the prompt is there again", async () => {
    const terminal = await prompted("deadline 5000");
    await terminal.waitForRows(/\d s left, then it is given up/);
    await terminal.waitForRows(/\(no longer open: its time is over\)[^\n]*\nnothing, expired\.\n>$/);
    expect(terminal.screen().split("no longer open")).toHaveLength(2);
    expect(terminal.screen()).not.toContain("❯");
    await press(terminal, [["/help\r", /\/exit +leaves\n>$/]]);
  });

  test("a question whose deadline passes with a default says that the default counts, and it does (P-XDL-2)", async () => {
    const terminal = start(["chat", "--prompt", "go", "--", "node", "theme-agent.mjs", "5000"], {
      cwd: examples,
    });
    await terminal.waitForRows(/\d s left, then the default counts[\s\S]*Night/);
    await terminal.waitForRows(/\(no longer open: its time is over\)[^\n]*\n[\s\S]*night, by timer\.\n>$/);
  });
});

test("a question that the agent takes back closes with one line, and what was typed in it is gone", async () => {
  const cwd = await folderWith();
  const terminal = await prompted("until", { cwd });
  await terminal.waitForRows(/Go on\?[\s\S]*Esc decline/);
  await press(terminal, [[key.down, /❯ 2\. No/]]);
  await writeFile(join(cwd, "withdraw"), "");
  await terminal.waitForRows(/\(no longer open: the agent took it back\)[^\n]*\nNever mind\.\n>$/);
  expect(terminal.screen()).not.toContain("❯");
});

describe("a sub-agent", () => {
  test("a sub-agent is named by its requests: its approval first, then its question", async () => {
    const terminal = await prompted("coder");
    await terminal.waitForRows(/sub-agent coder[\s\S]*Touch it[\s\S]*Approve \(y\)[\s\S]*Esc decline/);
    await press(terminal, [[key.enter, /sub-agent coder[\s\S]*Which colour\?[\s\S]*Esc decline/]]);
    expect(terminal.sent).toContain("\u001b]0;❓ The sub-agent coder has a question for you\u0007");
    await press(terminal, [[key.down + key.enter, /● Which colour\?\n {2}→ No\n[\s\S]*On\.\n>$/]]);
    expect(terminal.screen()).toMatch(/• Task\n {2}• AskUserQuestion Colour\n/);
  });
});

describe("plan mode", () => {
  const plan = /Approve this plan[\s\S]*❯ 1\. Approve[\s\S]*Esc decline/;

  test("plan mode puts its plan to the person: the plan stands above, and Ctrl-E shows all of it", async () => {
    const terminal = await prompted("plan");
    await terminal.waitForRows(/Enter plan mode\?[\s\S]*Esc decline/);
    await press(terminal, [[key.enter, plan]]);
    expect(terminal.screen()).toContain("(plan mode is on)\n");
    // The text was shown whole as it came, so the panel is short.
    expect(terminal.screen().split("17. Step 17 of the plan")).toHaveLength(2);
    await press(terminal, [
      [key.ctrl("e"), /Approve this plan[\s\S]*5\. Step 5 of the plan[\s\S]*Esc back/],
      [key.end, /40\. Step 40 of the plan[\s\S]*Revise/],
      [key.escape, plan],
      [key.enter, /● Approve this plan\n {2}→ Approve · Carry the plan out as it is\n\(plan mode is off\)/],
    ]);
    await terminal.waitForRows(/On\.\n>$/);
  });

  test("a plan takes own words as what to change", async () => {
    const terminal = await prompted("plan");
    await terminal.waitForRows(/Enter plan mode\?[\s\S]*Esc decline/);
    await press(terminal, [
      [key.enter, plan],
      ["fewer steps", /Revise: fewer steps/],
      [key.enter, /● Approve this plan\n {2}→ fewer steps\n[\s\S]*On\.\n>\n {2}plan mode$/],
    ]);
    expect(terminal.screen()).not.toContain("(plan mode is off)");
  });
});
