import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { folderWith } from "../askwire.js";
import { isAlive } from "../is-alive.js";
import type { Terminal } from "../terminal.js";
import { askAt, key, press, report } from "./at-panel.js";
import { inTurn } from "./in-turn.js";
import { shell } from "./shell.js";

const colour = { question: "Which colour?", options: ["Red", "Green", "Blue"] };
const open = { question: "What?" };

/** The items of the answer, as they were printed: a screen would break long lines and leave characters out. */
async function items(terminal: Terminal): Promise<{ selected: string[]; own_text?: string }[]> {
  await terminal.ended;
  const line = terminal.sent.slice(terminal.sent.lastIndexOf('{"outcome"'));
  return JSON.parse(line).items;
}

/** The own text of an answer in a file: a long line may not all come out of a terminal whose program ends after it. */
const writtenText = async (cwd: string) =>
  JSON.parse(await readFile(join(cwd, "out"), "utf8")).items[0].own_text;

const ownText = async (terminal: Terminal) => (await items(terminal))[0]?.own_text;

describe("a paste into a panel", () => {
  test("a paste of 100 kB is one text up to the limit of own text, which is said, and its line ends send nothing", async () => {
    const text = Array.from({ length: 1_250 }, (_, line) => `${line} ${"x".repeat(74)}`).join("\r\n");
    const cwd = await folderWith();
    const { terminal } = shell("askwire ask --question 'What?' >out", { cwd });
    await terminal.waitFor("❯");
    await press(terminal, [
      [key.paste(text), /no more room/i],
      [key.enter, "finished"],
    ]);
    expect(await writtenText(cwd)).toBe(text.replaceAll("\r\n", "\n").slice(0, 65_536));
  });

  test("a paste without its end mark is there after a moment, and keys work again", async () => {
    const terminal = await askAt([colour]);
    await press(terminal, [
      ["\u001b[200~half a paste", /❯ 4\. .*half a paste/],
      [" more", /half a paste more/],
      key.enter,
    ]);
    expect(await ownText(terminal)).toBe("half a paste more");
  });

  test("a paste with key sequences in it is text: nothing is chosen, declined or left", async () => {
    const text = `a${key.down}b${key.escape}c\u0003d\u0004e\u001af\r1\t`;
    const terminal = await askAt([colour, open]);
    await press(terminal, [
      [key.paste(text), /❯ 4\. .*a\\u\{1b\}\[B/],
      [key.enter, "What?"],
      ["y", "y"],
      [key.enter, /❯ 1\. Submit answers/],
      [key.down, /❯ 2\. Cancel/],
      [key.up, /❯ 1\. Submit answers/],
      key.enter,
    ]);
    expect(await ownText(terminal)).toBe(text.replace("\r", "\n"));
  });

  test("a paste cut anywhere into two writes comes in full, marks included", async () => {
    const paste = key.paste("ab\ncd");
    for (const at of [1, 3, 5, 8, 12, paste.length - 2]) {
      const terminal = await askAt([open]);
      terminal.type(paste.slice(0, at));
      await new Promise((resolve) => setImmediate(resolve));
      terminal.type(paste.slice(at));
      await press(terminal, [[" ", /ab\n +cd/], key.enter]);
      expect(await ownText(terminal)).toBe("ab\ncd ");
    }
  });

  test.each(["   ", "\n\n", "\t \u3000"])("a paste of blanks alone is no answer: %j", async (blanks) => {
    const terminal = await askAt([open]);
    await press(terminal, [
      key.paste(blanks),
      [key.enter, /Type an answer first/],
      [key.ctrl("u"), /^(?![\s\S]*answer first)/],
      ["ok", "ok"],
      key.enter,
    ]);
    expect(await ownText(terminal)).toBe("ok");
  });

  test.each(["\u200b", "\ufeff\u200b", "\u00ad\u2060"])(
    "a paste of invisible characters is a text that is shown: %j",
    async (text) => {
      const terminal = await askAt([open]);
      await press(terminal, [[key.paste(text), /\\u\{/], key.enter]);
      expect(await ownText(terminal)).toBe(text);
    },
  );

  test("a paste into an approval is a reason to reject, whatever it says", async () => {
    const { terminal, approves, received } = await inTurn({ args: ["--no-bell"] });
    approves("rm -rf build");
    await terminal.waitForRows(/❯ 1\. Approve[\s\S]*Esc/);
    await press(terminal, [[key.paste("y\r"), /why: y\n/], key.enter]);
    expect((await received("a")).result).toMatchObject({ response: "reject", feedback: "y" });
  });
});

describe("bytes of a terminal that nobody typed", () => {
  test.each([
    ["reports of the mouse", "\u001b[<0;10;5M\u001b[<0;10;5m\u001b[M !!\u001b[32;10;5M"],
    ["reports of focus", "\u001b[I\u001b[O"],
    ["the place of the cursor", "\u001b[12;40R"],
    ["the kind of the terminal", "\u001b[?62;4c\u001b[>0;276;0c\u001bP>|xterm(370)\u001b\\"],
    ["its colours", "\u001b]11;rgb:1111/2222/3333\u0007\u001b]10;rgb:1111/2222/3333\u001b\\"],
    ["its modes", "\u001b[?2026;2$y\u001b[?1u"],
    ["keys that mean nothing", "\u001b[15~\u001bOP\u001b[1;2P\u001b[57441u\u0000\u0002\u001f"],
  ])("bytes that a terminal sends by itself (%s) answer nothing and leave no trace", async (_what, sent) => {
    const terminal = await askAt([colour]);
    await press(terminal, [[key.down, /❯ 2\. Green/]]);
    const before = terminal.rows();
    terminal.type(sent);
    await press(terminal, [
      ["x", /❯ 4\. .*x/],
      [key.backspace, /❯ 4\. (?!.*x)/],
      [key.tab, /❯ 2\. Green/],
    ]);
    await expect.poll(() => terminal.rows(), { interval: 5 }).toEqual(before);
    terminal.type(key.enter);
    expect(await items(terminal)).toMatchObject([{ selected: ["q1_o2"] }]);
  });
});

describe("keys at a panel", () => {
  test("2,000 keys typed without a pause all arrive", async () => {
    const text = Array.from({ length: 400 }, (_, word) => `w${word}`.padEnd(4, "-")).join(" ");
    const cwd = await folderWith();
    const { terminal } = shell(
      "askwire ask --question 'Which colour?' --option Red --option Green --option Blue >out",
      {
        cwd,
      },
    );
    await terminal.waitFor("❯");
    for (const part of text.match(/.{1,97}/g) ?? []) terminal.type(part);
    terminal.type("!");
    await terminal.waitForRows(/w399!/);
    // Keys that come together make one frame.
    expect(terminal.sent.split("\u001b[?2026h").length).toBeLessThan(500);
    await press(terminal, [[key.enter, "finished"]]);
    expect(await writtenText(cwd)).toBe(`${text}!`);
  });

  test.each([
    ["an arrow", key.down, /❯ 2\. Green/],
    ["a character of three bytes", "数", /❯ 4\. .*数/],
    ["a character of four bytes", "\u{1f600}", /❯ 4\. .*\u{1f600}/u],
  ])("%s that comes in two writes is one key", async (_what, sent, shown) => {
    const terminal = await askAt([colour]);
    terminal.type(Buffer.from(sent).subarray(0, 2));
    await new Promise((resolve) => setImmediate(resolve));
    terminal.type(Buffer.from(sent).subarray(2));
    await terminal.waitForRows(shown);
    terminal.type(key.ctrl("c"));
    expect((await terminal.ended).exitCode).toBe(130);
  });

  test("a letter right after Esc is not typed, and Esc does not decline", async () => {
    const terminal = await askAt([colour]);
    await press(terminal, [[key.down, /❯ 2/], `${key.escape}x`, [key.down, /❯ 3\. Blue/], key.enter]);
    expect(await items(terminal)).toMatchObject([{ selected: ["q1_o3"] }]);
  });

  test("Esc alone counts after a moment", async () => {
    const terminal = await askAt([colour]);
    terminal.type(key.escape);
    expect((await report(terminal)).exitCode).toBe(3);
  });
});

test("the end of the terminal in the middle of a panel leaves no process behind", async () => {
  const cwd = await folderWith();
  const { terminal, pid } = shell("run ask --question 'Which colour?' --option Red >out", { cwd });
  await terminal.waitFor("❯ 1. Red");
  const number = await pid();
  terminal.close();
  await expect.poll(() => isAlive(number), { interval: 20, timeout: 5_000 }).toBe(false);
});
