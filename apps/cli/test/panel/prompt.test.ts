import { describe, expect, test } from "vitest";
import { folderWith, withoutSlowStart } from "../askwire.js";
import { modesLeftOn } from "../lent-terminal.js";
import { key, press } from "./at-panel.js";
import { inTurn, type Turn } from "./in-turn.js";
import { shell } from "./shell.js";

const PROMPT = /^>$/m;
const CTRL_C = key.ctrl("c");

/** Words of an agent, in pieces that end anywhere. */
const stream = `${"It looks at the files, 这里有很多文件, and goes on without a pause. ".repeat(12)}\nDone.\n`;

/** Words of a person that lose their meaning where a part of them is lost. */
const words = "do not delete the files — 不要删除文件, only ü these e\u0301: 👩‍💻 a.txt\tand b.txt";

/** Sends the pieces of two texts in turn until both are through. */
async function inTurns(turn: Turn, typed: readonly string[], said: readonly string[], slow: boolean) {
  let shown = "";
  for (let at = 0; at < Math.max(typed.length, said.length); at++) {
    const [keys, text] = [typed[at], said[at]];
    if (text !== undefined) turn.says(text);
    if (keys === undefined) continue;
    turn.terminal.type(keys);
    shown += keys;
    if (slow) await turn.terminal.waitForRows(lastWords(shown));
  }
}

/** The end of what was typed, as it stands on the last row. */
const lastWords = (text: string) => text.trimEnd().replaceAll("\t", " ").slice(-4);

const pieces = (text: string, size: number) => text.match(new RegExp(`.{1,${size}}`, "gsu")) ?? [];

describe("words typed while the agent speaks", () => {
  test.each<[string, { typed: number; said: number; slow: boolean }]>([
    ["a character at a time, each seen before the next", { typed: 1, said: 3, slow: true }],
    ["a character at a time, without a pause", { typed: 1, said: 8, slow: false }],
    ["in pieces, more slowly than they come", { typed: 7, said: 200, slow: true }],
    ["in pieces, faster than they come", { typed: 7, said: 2, slow: false }],
    ["all at once", { typed: 1_000, said: 1, slow: false }],
  ])("words typed while the agent speaks reach it byte by byte: %s", async (_what, { typed, said, slow }) => {
    const turn = await inTurn();
    const { terminal, received, confirms, event } = turn;
    await terminal.waitForRows(/^»$/m);
    await inTurns(turn, pieces(words, typed), pieces(stream, said), slow);
    terminal.type(key.enter);
    const steered = await received("steer");
    expect(Buffer.from(steered.params.user_input)).toEqual(Buffer.from(words));
    confirms(steered, { status: "steered" });
    event("SteerInput", { user_input: "all of it" });
    await terminal.waitFor("Done.");
    const screen = await terminal.waitFor(/↪ all of it[\s\S]*\n»$/);
    // The agent's words are whole too, but for the line that Enter ended.
    const seen = withoutSlowStart(screen).replaceAll(/\s/g, "");
    const asIs = (text: string) => text.replaceAll(/\s/g, "");
    expect(seen.replace(asIs(`» ${words}`), "").replace("↪allofit", "")).toBe(asIs(`${stream}»`));
  });

  test("words typed while the agent speaks stand in full below all its words, even with a pause between them", async () => {
    const { terminal, says, received } = await inTurn();
    await terminal.waitForRows(/^»$/m);
    await press(terminal, [["do not ", /^» do not$/m]]);
    says("I look ");
    await terminal.waitForRows(/^I look\n» do not$/m);
    says("at the files");
    await terminal.waitForRows(/^I look at the files\n» do not$/m);
    await press(terminal, [["delete the files", /^I look at the files\n» do not delete the files$/m]]);
    says(".\nAnd on");
    await terminal.waitForRows(/^I look at the files\.\nAnd on\n» do not delete the files$/m);
    terminal.type(key.enter);
    expect((await received("steer")).params).toEqual({ user_input: "do not delete the files" });
  });

  test("words typed on a small terminal are not cut, and neither are the agent's words", async () => {
    const turn = await inTurn({ columns: 24, rows: 6 });
    const { terminal, received, event } = turn;
    await inTurns(turn, pieces(words, 3), pieces(stream, 40), false);
    terminal.type(key.enter);
    expect((await received("steer")).params).toEqual({ user_input: words });
    event("SteerInput", { user_input: "all of it" });
    const screen = await terminal.waitFor(/↪ all of it[\s\S]*\n»$/);
    expect(screen.replaceAll(/\s/g, "")).toContain(words.replaceAll(/\s/g, ""));
  });

  test("words typed with --plain reach the agent in full even where its half line pushes them off the screen", async () => {
    const { terminal, says, received } = await inTurn({ args: ["--plain"] });
    await terminal.waitForRows(/^»$/m);
    await press(terminal, [["do not ", /^» do not$/m]]);
    says("I look ");
    await terminal.waitFor("I look");
    await press(terminal, [["delete", /delete$/]]);
    says("at the files");
    await terminal.waitFor(/at the files/);
    terminal.type(" the files\r");
    expect((await received("steer")).params).toEqual({ user_input: "do not delete the files" });
    await terminal.waitFor("» do not delete the files\n");
  });

  test("words typed while the agent speaks are not sent by the end of the turn, and stay at the next prompt", async () => {
    const { terminal, says, ends, received } = await inTurn();
    await press(terminal, [["and then", /^» and then$/m]]);
    says("Half a line");
    ends();
    await terminal.waitForRows(/^Half a line\n> and then$/m);
    terminal.type(" more\r");
    expect((await received("prompt")).params).toEqual({ user_input: "and then more" });
  });
});

describe("words typed right after the key that ends a panel", () => {
  test.each([
    ["the answer", key.enter],
    ["own words", "mine\r"],
    ["Esc", key.escape],
    ["Ctrl-C", CTRL_C],
  ])(
    "words typed right after the key that ends a panel stand in full at the prompt: %s",
    async (_what, ending) => {
      const { terminal, asks, received } = await inTurn();
      asks({ question: "Which one?", options: [{ label: "Red" }] });
      await terminal.waitForRows(/❯ 1\. Red[\s\S]*Esc decline/);
      // A key before shows that a pause is not what they need.
      await press(terminal, [[key.down, /❯ 2\. Other/], [key.up, /❯ 1\. Red/], ending]);
      await received("r");
      terminal.type("and not in German");
      await terminal.waitForRows(/^» and not in German$/m);
    },
  );

  test("words that come together with the key that ends a panel stand at the prompt, and several lines are sent", async () => {
    const { terminal, asks, received } = await inTurn();
    asks({ question: "Which one?", options: [{ label: "Red" }] });
    await terminal.waitForRows(/❯ 1\. Red[\s\S]*Esc decline/);
    terminal.type("mine\rand not\rin German");
    expect(await received("r")).toMatchObject({ result: { answers: { "Which one?": "mine" } } });
    expect((await received("steer")).params).toEqual({ user_input: "and not" });
    await terminal.waitForRows(/→ mine\n» and not\n» in German$/);
  });
});

describe("a draft of several lines", () => {
  const text = "first line\n\tsecond: 数据\n\nlast";

  test("a draft of several lines comes from a paste, or from Ctrl-J and Alt-Enter, and is one prompt", async () => {
    const { terminal, received, ends } = await inTurn({ prompt: null });
    await terminal.waitForRows(PROMPT);
    await press(terminal, [
      [key.paste(text.replaceAll("\n", "\r\n")), /^> first line\n {3}second: 数据\n\n {2}last$/m],
      key.enter,
    ]);
    expect((await received("prompt")).params).toEqual({ user_input: text });
    ends();
    await terminal.waitForRows(/^> first line\n[\s\S]*last\n>$/m);
    terminal.type("one\ntwo\u001b\rthree");
    await terminal.waitForRows(/^> one\n {2}two\n {2}three$/m);
    expect(terminal.cursor()).toMatchObject({ column: 7 });
    await press(terminal, [
      [key.up + key.up + key.end, /^> one/m],
      ["!", /^> one!\n {2}two\n {2}three$/m],
      key.enter,
    ]);
    expect((await received("prompt")).params).toEqual({ user_input: "one!\ntwo\nthree" });
  });

  const long = Array.from({ length: 60 }, (_, at) => `行 ${at} ${"👩‍💻 wide 宽 ".repeat(at % 4)}`);

  test("a draft taller than the screen is shown around the cursor, and sent in full", async () => {
    const { terminal, received, says } = await inTurn({ rows: 8, columns: 30 });
    // Pastes of a few lines stand in a draft as they are.
    const pastes = Array.from({ length: 10 }, (_, at) => long.slice(6 * at, 6 * at + 6).join("\n"));
    await press(terminal, [[pastes.map(key.paste).join(key.ctrl("j")), /^(?:…| ) 行 56\n[\s\S]*行 59/m]]);
    says("Above.\n");
    await terminal.waitFor("Above.");
    await press(terminal, [[key.up.repeat(40), /^… /m], key.enter]);
    expect((await received("steer")).params).toEqual({ user_input: long.join("\n") });
    await terminal.waitFor(/» 行 0[\s\S]*行 59[\s\S]*\n»$/);
    expect(terminal.screen().split("Above.")).toHaveLength(2);
  });

  test("a long paste is one short text, which Ctrl-T shows, and is sent in full", async () => {
    const { terminal, received } = await inTurn({ rows: 8, columns: 30 });
    await press(terminal, [
      [key.paste(long.join("\n")), /^» \[60 lines pasted\]$/m],
      [key.ctrl("t"), /^(?:…| ) 行 56\n[\s\S]*行 59/m],
      key.enter,
    ]);
    expect((await received("steer")).params).toEqual({ user_input: long.join("\n") });
    await terminal.waitFor(/» \[60 lines pasted\]\n»$/);
  });

  test("a draft follows the size of the terminal", async () => {
    const { terminal, received } = await inTurn({ columns: 40, env: { TERM_PROGRAM: "vscode" } });
    await terminal.waitForRows(/^»$/m);
    await press(terminal, [["some words, 这是一个很宽的草稿, and more", /^» some words[^\n]*\n {2}\S/m]]);
    terminal.resize(20, 10);
    await terminal.waitForRows(/^» some words, 这是\n/m);
    terminal.resize(80, 24);
    await terminal.waitForRows(/^» some words, 这是一个很宽的草稿, and more$/m);
    expect(terminal.rows().join("\n").split("some")).toHaveLength(2);
    terminal.type(key.enter);
    expect((await received("steer")).params).toEqual({
      user_input: "some words, 这是一个很宽的草稿, and more",
    });
  });
});

test("lines typed before the prompt appeared are sent, and half a line stands at the prompt", async () => {
  const cwd = await folderWith({ "s.json": JSON.stringify(["text: Thanks.", "text: Again."]) });
  const { terminal } = shell(`read key; run chat --script s.json`, { cwd });
  terminal.type("start\none\ntwo\nthr");
  await terminal.waitForRows(/^> one\n[\s\S]*^> thr$/m);
  await terminal.waitFor(/two/);
  await press(terminal, [["ee", /^> three$/m]]);
});

describe("Ctrl-C at the prompt", () => {
  test("Ctrl-C wipes a draft, cancels the turn at an empty prompt, and leaves when it is pressed twice after that", async () => {
    const { terminal, received, confirms, ends } = await inTurn();
    await press(terminal, [["wrong", /^» wrong$/m], [CTRL_C, /^»$/m], CTRL_C]);
    confirms(await received("cancel"));
    ends("cancelled");
    await terminal.waitForRows(/\(cancelled\)\n>$/);
    await press(terminal, [
      ["again", /^> again$/m],
      [CTRL_C, /\(cancelled\)\n>$/],
      [CTRL_C, /\(Ctrl-C again leaves\)\n>$/],
      CTRL_C,
    ]);
    expect(await terminal.ended).toMatchObject({ exitCode: 0 });
    expect(modesLeftOn(terminal.sent)).toEqual([]);
  });

  test("Ctrl-C counts as the first one again once something was sent", async () => {
    const { terminal, received, ends } = await inTurn({ prompt: null });
    await terminal.waitForRows(PROMPT);
    await press(terminal, [[CTRL_C, /\(Ctrl-C again leaves\)\n>$/], "go\r"]);
    await received("prompt");
    ends();
    await terminal.waitForRows(/> go\n>$/);
    await press(terminal, [[CTRL_C, /> go\n\(Ctrl-C again leaves\)\n>$/]]);
  });

  test("Ctrl-C at the prompt explains itself in Chinese as well", async () => {
    const { terminal } = await inTurn({ prompt: null, args: ["--lang", "zh"] });
    await terminal.waitForRows(PROMPT);
    await press(terminal, [[CTRL_C, "（再按一次 Ctrl-C 退出）"]]);
  });
});

test("unsent words stay on the terminal when the agent ends", async () => {
  const { terminal, dies } = await inTurn();
  await press(terminal, [["not sent yet", /^» not sent yet$/m]]);
  dies();
  expect((await terminal.ended).exitCode).toBe(1);
  expect(terminal.screen()).toMatch(/^> not sent yet$/m);
});

test("a text that does not fit is reported, and the part that fits is kept", async () => {
  const { terminal } = await inTurn({ prompt: null });
  await terminal.waitForRows(PROMPT);
  terminal.type(key.paste("x".repeat(600_000)));
  await terminal.waitFor("(there is no more room at the prompt: the rest was not taken)");
});

test("a draft is back after Ctrl-Z, and the terminal is the shell's until then", async () => {
  const cwd = await folderWith({ "s.json": JSON.stringify(["text: Thanks."]) });
  const script = `set -m; run chat --script s.json; stty -a >while; echo "stopped"; fg >/dev/null; echo "exit $?"`;
  const { terminal, changed } = shell(script, { cwd });
  await terminal.waitForRows(PROMPT);
  await press(terminal, [
    ["one", /^> one$/m],
    ["\ntwo", /^> one\n {2}two$/m],
    ["\u001a", /stopped\n[\s\S]*> one\n {2}two$/],
  ]);
  expect(modesLeftOn(terminal.sent.slice(0, terminal.sent.indexOf("stopped")))).toEqual([]);
  await press(terminal, [[" more\r", /> one\n {2}two more\nThanks\.\n>$/], [CTRL_C, /again leaves/], CTRL_C]);
  expect(await terminal.waitFor("finished")).toMatch(/exit 0\nfinished$/);
  expect(await changed()).toEqual([]);
});

test("NO_COLOR leaves the prompt only its signs", async () => {
  const { terminal } = await inTurn({ env: { NO_COLOR: "1" } });
  await press(terminal, [["words", /^» words$/m]]);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a colour begins with one.
  expect(terminal.sent).not.toMatch(/\u001b\[\d*m/);
});
