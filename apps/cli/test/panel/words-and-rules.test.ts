import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { asksLine, colourScript, folderWith } from "../askwire.js";
import { askAt, key, lookAndEnter, press, report, start } from "./at-panel.js";
import { inTurn } from "./in-turn.js";

const colour = { question: "Which colour?", header: "Colour", options: ["Red", "Green", "Blue"] };
const sizes = { question: "Which sizes?", header: "Sizes", options: ["S", "M", "L"], multi_select: true };

// biome-ignore lint/suspicious/noControlCharactersInRegex: a colour begins with one.
const COLOUR = /\u001b\[[0-9;]*m/;

describe("panels without colours", () => {
  test.each([["NO_COLOR"]])(
    "%s switches colours off, and all states can still be told apart",
    async (name) => {
      const terminal = await askAt([colour, sizes], { env: { [name]: "1" } });
      expect(await terminal.waitForRows(/Esc/)).toMatch(
        /\[☐ Colour\] +☐ Sizes +Submit[\s\S]*❯ 1\. Red\n {2}2\. Green/,
      );
      await press(terminal, [
        [key.down + key.enter, /✔ Colour +\[☐ Sizes\][\s\S]*❯ 1\. \[ \] S/],
        [key.space, /❯ 1\. \[✔\] S\n {2}2\. \[ \] M/],
        [key.enter, /✔ Colour +✔ Sizes +\[Submit\][\s\S]*● Which colour\?\n {2}→ Green/],
        [key.left, /\[✔ Sizes\]/],
        ["2", /\[◐ Sizes\]/],
        [key.right, /✔ Sizes +\[Submit\][\s\S]*● Which sizes\?\n {2}→ S\n {2}→ M/],
        [key.enter, "→ Green"],
      ]);
      expect((await report(terminal)).items).toMatchObject([
        { selected: ["q1_o2"] },
        { selected: ["q2_o1", "q2_o2"] },
      ]);
      expect(terminal.sent).not.toMatch(COLOUR);
    },
  );

  test("a terminal without NO_COLOR gets colours", async () => {
    expect((await askAt([colour])).sent).toMatch(COLOUR);
  });
});

describe("the languages of panels", () => {
  test.each([
    ["LC_ALL=zh_CN.UTF-8", { LC_ALL: "zh_CN.UTF-8" }, []],
    ["LANG=zh_TW.UTF-8", { LC_ALL: "", LC_MESSAGES: "", LANG: "zh_TW.UTF-8" }, []],
    ["--lang zh", { LC_ALL: "en_US.UTF-8" }, ["--lang", "zh"]],
  ])("%s makes the panel of `ask` Chinese, with its questions unchanged", async (_how, env, args) => {
    const terminal = await askAt([colour, sizes], { env, args });
    expect(await terminal.waitForRows(/Esc/)).toMatch(
      /Which colour\?[\s\S]*❯ 1\. Red[\s\S]*4\. 其他[\s\S]*Esc 拒绝/,
    );
    await press(terminal, [
      [key.down + key.enter, /（可多选）/],
      [key.enter, "请再按一次 Enter 确认。"],
      [lookAndEnter, "请选择一个选项或输入回复"],
      [key.space + key.enter, /检查你的回答[\s\S]*确定提交这些回答吗？[\s\S]*❯ 1\. 提交回答\n {2}2\. 取消/],
      [key.ctrl("e"), "Esc 返回"],
      [key.escape, "提交回答"],
    ]);
    expect(terminal.rows().join("\n")).not.toMatch(/\b(Submit|Cancel|Review|Other|move)\b/);
    terminal.type(key.enter);
    expect((await report(terminal)).exitCode).toBe(0);
  });

  test("--lang zh makes a conversation Chinese around the panel, and in an approval", async () => {
    const { terminal, approves, received } = await inTurn({
      args: ["--no-bell", "--lang", "zh"],
      env: { LC_ALL: "C" },
    });
    approves("rm -rf build");
    const shown = await terminal.waitForRows(/❯[\s\S]*Esc/);
    expect(shown).toMatch(/❯ 1\. 批准[\s\S]*2\. .*批准[\s\S]*3\. 拒绝[\s\S]*Esc 拒绝/);
    expect(shown).not.toMatch(/\b(Approve|Reject|decline|asks)\b/);
    terminal.type(key.enter);
    await received("a");
    expect(await terminal.waitFor("●")).toMatch(/● rm -rf build → .*批准/);
  });

  test("--lang en is English whatever the locale", async () => {
    const terminal = await askAt([colour], { env: { LC_ALL: "zh_CN.UTF-8" }, args: ["--lang", "en"] });
    expect(await terminal.waitForRows("Esc decline")).toContain("Other");
    expect(terminal.screen()).not.toMatch(/[\u4e00-\u9fff]/);
  });

  test.each(["chat", "ask"])(
    "`%s --lang xx` names the known languages and exits with 2, before it asks",
    async (command) => {
      const cwd = await folderWith({ "s.json": colourScript });
      const terminal = start([command, "--lang", "xx"], { cwd });
      expect((await terminal.ended).exitCode).toBe(2);
      expect(terminal.screen()).toMatch(/--lang[\s\S]*xx[\s\S]*en, zh/);
    },
  );
});

describe("texts that are no answer, or no question", () => {
  const ask = async (questions: readonly object[]) => {
    const cwd = await folderWith();
    await writeFile(join(cwd, "q.json"), JSON.stringify({ questions }));
    const terminal = start(["ask", "--questions", "q.json"], { cwd });
    const { exitCode } = await terminal.ended;
    return { exitCode, terminal };
  };

  test("two questions with the same text are rejected before a panel opens", async () => {
    const { exitCode, terminal } = await ask([colour, { ...sizes, question: colour.question }]);
    expect(exitCode).toBe(2);
    expect(terminal.screen()).toMatch(/another text than "Which colour\?"/);
    expect(terminal.sent).not.toContain("❯");
  });

  test("an agent that asks two questions with the same text is told so and can ask again", async () => {
    const twice = [
      { question: "Which?", options: [{ label: "A" }, { label: "B" }] },
      { question: "Which?", options: [{ label: "C" }, { label: "D" }] },
    ];
    const script = JSON.stringify([asksLine(twice), "text: Sorry."]);
    const cwd = await folderWith({ "s.json": script });
    const terminal = start(["chat", "--script", "s.json", "--prompt", "go"], { cwd });
    await terminal.waitFor(/Sorry\.\n>/);
    expect(terminal.sent).not.toContain("❯");
  });

  test("a label with commas is one choice, and own text that equals labels is own text", async () => {
    const options = ["a, b", "a", "b"];
    const terminal = await askAt([
      { question: "Which?", options, multi_select: true },
      { question: "And?", options },
    ]);
    await press(terminal, [
      ["1", /\[✔\] a, b/],
      [key.enter, "And?"],
      ["a, b", /❯ 4\..*a, b/],
      [key.enter, /→ a, b\n[\s\S]*→ a, b\n/],
      [key.left, /❯ 4\..*a, b/],
      [key.up, /❯ 3/],
      [key.backTab, /❯ 1\. \[✔\] a, b\n {2}2\. \[ \] a\n {2}3\. \[ \] b/],
      [key.tab + key.tab, "Submit answers"],
      key.enter,
    ]);
    expect((await report(terminal)).items).toEqual([
      { question_id: "q1", selected: ["q1_o1"] },
      { question_id: "q2", selected: [], own_text: "a, b" },
    ]);
  });

  test.each([
    ["blanks", "   "],
    ["wide blanks", "\u3000\u3000"],
    ["a line end that was pasted", key.paste("\n \n")],
  ])("%s as own text sends nothing, in a single and in a multiple choice", async (_what, blank) => {
    const terminal = await askAt([colour, sizes]);
    await press(terminal, [
      [key.tab + key.tab, "Submit"],
      [key.tab, "Which colour?"],
      [key.up, /❯ 4\./],
      blank,
      [key.enter, /Type an answer first/],
      [key.ctrl("u"), /^(?![\s\S]*answer first)/],
      [key.right, "Which sizes?"],
      [key.up + key.up, /❯ 4\./],
      blank,
      [key.enter, /❯ 4\. \[ \]/],
      [key.down, /❯ ✔/],
      [key.enter, /at least one/],
    ]);
    terminal.type(key.ctrl("c"));
    const { items, exitCode } = await report(terminal);
    expect({ items, exitCode }).toEqual({ items: [], exitCode: 130 });
  });
});
