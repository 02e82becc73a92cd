import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { asksLine, colour, colourScript, command, folderWith, nodeProject, workflow } from "../askwire.js";
import { openAskwire, openTerminal, type TerminalOptions } from "../terminal.js";

const CTRL_C = "\u0003";
const agent = fileURLToPath(new URL("../prompted-agent.mjs", import.meta.url));

/** `askwire chat` in a terminal. */
const chat = (args: readonly string[], options: TerminalOptions) =>
  openAskwire(["chat", "--plain", ...args], options);

/** The prompt of a conversation, with nothing typed. */
const PROMPT = /^>$/m;
const QUESTION = "(/decline to decline) >";

describe("at the terminal", () => {
  test.each([80, 40])("the interview ends in the file, on a terminal of %i columns", async (columns) => {
    const cwd = await folderWith(nodeProject);
    const terminal = chat([], { cwd, columns });
    await terminal.waitFor(QUESTION);
    terminal.type("1,2\r");
    await terminal.waitFor(QUESTION, { times: 2 });
    terminal.type("\r");
    await terminal.waitFor(QUESTION, { times: 3 });
    terminal.type("lint\r");
    await terminal.waitFor(QUESTION, { times: 4 });
    terminal.type("By hand\r");
    await terminal.waitFor(/n \[why\]: no.* >/);
    terminal.type("y\r");
    expect(await terminal.ended).toMatchObject({ exitCode: 0 });
    expect(terminal.screen()).toContain("An empty line is no answer.");
    expect(terminal.screen()).toMatch(/\nWrote \.github\/workflows\/ci\.yml\. [^\n]*$/);
    expect(await readFile(join(cwd, workflow), "utf8")).toContain("npm run lint");
  });

  test.each([
    ["Ctrl-C", CTRL_C],
    ["Ctrl-D", "\u0004"],
    ["/decline", "/decline\r"],
  ])("%s at a question of the interview declines: nothing is written", async (_what, keys) => {
    const terminal = chat([], { cwd: await folderWith(nodeProject) });
    await terminal.waitFor(QUESTION);
    terminal.type(keys);
    expect(await terminal.ended).toMatchObject({ exitCode: 0 });
    expect(terminal.screen()).toMatch(/\n {2}↳ User dismissed\nNothing was written\.$/);
  });

  test("Ctrl-D at the prompt leaves, and the shell's prompt gets a line of its own", async () => {
    const cwd = await folderWith({ "s.json": colourScript });
    const terminal = chat(["--script", "s.json"], { cwd });
    await terminal.waitFor(PROMPT);
    terminal.type("\u0004");
    expect(await terminal.ended).toMatchObject({ exitCode: 0 });
    expect(terminal.sent).toMatch(/\n$/);
  });

  test("a conversation begins with a line that says how to get help", async () => {
    const cwd = await folderWith({ "s.json": colourScript });
    const terminal = chat(["--script", "s.json"], { cwd });
    expect(await terminal.waitFor(PROMPT)).toBe("(/help lists what you can type, /exit leaves)\n>");
  });

  test("Ctrl-C at a question declines it and the conversation continues, and at the prompt it leaves", async () => {
    const cwd = await folderWith({ "s.json": colourScript });
    const terminal = chat(["--script", "s.json"], { cwd });
    await terminal.waitFor(PROMPT);
    terminal.type("hello\r");
    await terminal.waitFor(QUESTION);
    terminal.type(CTRL_C);
    await terminal.waitFor(/User dismissed\nThanks\.\n>$/);
    terminal.type(CTRL_C);
    expect(await terminal.ended).toMatchObject({ exitCode: 0 });
  });

  test("Ctrl-C in a running turn cancels it, and the next prompt runs", async () => {
    const terminal = chat(["--", process.execPath, agent], { cwd: await folderWith() });
    await terminal.waitFor(PROMPT);
    terminal.type("work\r");
    await terminal.waitFor("Working");
    terminal.type(CTRL_C);
    await terminal.waitFor(/\(cancelled\)\n>$/);
    terminal.type("work\r");
    await terminal.waitFor("Working", { times: 2 });
    terminal.type(CTRL_C);
    await terminal.waitFor("(cancelled)", { times: 2 });
    terminal.type("\u0004");
    expect(await terminal.ended).toMatchObject({ exitCode: 0 });
  });

  test("a second Ctrl-C leaves an agent that does not reply", async () => {
    const terminal = chat(["--prompt", "stall", "--", process.execPath, agent], { cwd: await folderWith() });
    await terminal.waitFor("Stalling");
    terminal.type(CTRL_C + CTRL_C);
    expect(await terminal.ended).toMatchObject({ exitCode: 130 });
    expect(terminal.screen()).toBe("Stalling");
  });

  test("Ctrl-C leaves an agent that does not even introduce itself", async () => {
    const silent = "console.error('Started'); process.stdin.resume()";
    const terminal = chat(["--", process.execPath, "-e", silent], { cwd: await folderWith() });
    await terminal.waitFor("Started");
    terminal.type(CTRL_C);
    expect(await terminal.ended).toMatchObject({ exitCode: 130 });
  });

  test.each([80, 30])(
    "text half typed before Ctrl-C is not in the next line, at %i columns",
    async (columns) => {
      const script = JSON.stringify([
        `text: Above the question.\n${asksLine([colour])}`,
        "text: Thanks.",
        "text: Again.",
      ]);
      const terminal = chat(["--script", "s.json"], { cwd: await folderWith({ "s.json": script }), columns });
      await terminal.waitFor(PROMPT);
      terminal.type("hello\r");
      await terminal.waitFor(QUESTION);
      terminal.type("a long answer that wraps");
      await terminal.waitFor("that wraps");
      terminal.type(CTRL_C);
      const screen = await terminal.waitFor(/Thanks\.\n>$/);
      expect(screen).toContain("Above the question.\n");
      expect(screen).toContain("2. Blue  like the sea\n");
      expect(screen).toContain("User dismissed\n");
    },
  );

  test("text typed before a question was shown does not answer it, and stands at the next prompt", async () => {
    const cwd = await folderWith();
    const terminal = chat(["--", process.execPath, agent], { cwd });
    await terminal.waitFor(PROMPT);
    // The second line and the half of a third are there before the agent can ask; the turn may have taken the line.
    terminal.type("ask\r2\rY");
    await terminal.waitFor("once this line is empty");
    await writeFile(join(cwd, "withdraw"), "");
    const screen = await terminal.waitFor(/Never mind\.[\s\S]*\n> (2 )?Y$/);
    expect(screen).not.toContain("to decline)");
  });
});

describe("a withdrawn request", () => {
  test.each([
    ["question", "ask", QUESTION],
    ["approval", "approve", "n [why]: no >"],
  ])(
    "a withdrawn %s closes its prompt, says why, and the conversation continues",
    async (_what, prompt, shown) => {
      const cwd = await folderWith();
      const terminal = chat(["--", process.execPath, agent], { cwd });
      await terminal.waitFor(PROMPT);
      terminal.type(`${prompt}\r`);
      await terminal.waitFor(shown);
      terminal.type("ye");
      await terminal.waitFor(`${shown} ye`);
      await writeFile(join(cwd, "withdraw"), "");
      const screen = await terminal.waitFor(/\n>$/);
      expect(screen).toContain(`${shown} ye\nNever mind.\n`);
      expect(screen.split("(no longer open: the turn ended)\n")).toHaveLength(2);
      expect(screen).not.toContain("And now?");
      terminal.type("work\r");
      await terminal.waitFor(/> work\nWorking$/);
    },
  );
});

describe("messages that come while a question is open", () => {
  test("a message that comes while a question is open goes above it, and the prompt is shown again with what was typed", async () => {
    const cwd = await folderWith();
    const terminal = chat(["--", process.execPath, agent], { cwd, columns: 40 });
    await terminal.waitFor(PROMPT);
    terminal.type("ask\r");
    await terminal.waitFor(QUESTION);
    terminal.type("ye");
    await terminal.waitFor(`${QUESTION} ye`);
    await writeFile(join(cwd, "news"), "");
    const screen = await terminal.waitFor(/Some news\.\n.*\) > ye$/);
    expect(screen).toContain("1. Yes\n  2. No\n");
    terminal.type("s\u007f\u007f\u007fNo");
    await terminal.waitFor(/> No$/);
  });

  test("the second of two simultaneous questions waits for the first, and keeps its prompt when that is settled", async () => {
    const other = { question: "Which size?", options: [{ label: "S" }, { label: "M" }] };
    const script = JSON.stringify([`${asksLine([colour])}\n${asksLine([other], "tc-2")}`, "text: Thanks."]);
    const terminal = chat(["--script", "s.json"], {
      cwd: await folderWith({ "s.json": script }),
      columns: 40,
    });
    await terminal.waitFor(PROMPT);
    terminal.type("hello\r");
    expect(await terminal.waitFor(QUESTION)).not.toContain("Which size?");
    terminal.type(CTRL_C);
    await terminal.waitFor(/Which size\?[\s\S]*User dismissed\n.*\) >$/);
    terminal.type("M\r");
    await terminal.waitFor(/User answered\nThanks\.\n>$/);
  });
});

describe("the terminal afterwards", () => {
  test.each([
    ["the interview was answered", [], ["/decline\r"]],
    ["Ctrl-C at a question", [], [CTRL_C]],
    ["Ctrl-C at the prompt", ["--script", "s.json"], [CTRL_C]],
    ["Ctrl-D at the prompt", ["--script", "s.json"], ["\u0004"]],
    ["the agent failed", ["--", process.execPath, "-e", "process.exit(3)"], []],
  ])("the terminal echoes and edits as before when %s", async (_what, args, keys) => {
    const cwd = await folderWith({ ...nodeProject, "s.json": colourScript });
    const run = [process.execPath, command, "chat", "--plain", ...args].map((word) => `'${word}'`).join(" ");
    const terminal = openTerminal(
      "/bin/sh",
      ["-c", `stty -a >before; ${run}; stty -a >after; echo finished; cat`],
      {
        cwd,
      },
    );
    for (const key of keys) {
      await terminal.waitFor(/>$/);
      terminal.type(key);
    }
    await terminal.waitFor("finished");
    terminal.type("echoed?");
    await terminal.waitFor("echoed?");
    expect(await readFile(join(cwd, "after"), "utf8")).toBe(await readFile(join(cwd, "before"), "utf8"));
  });
});

describe("foreign text", () => {
  const evil = "\u001b[2J\u001b]0;owned\u0007\u009b31m\r\u202egpj.exe\u2066";
  const shown = "\\u{1b}[2J\\u{1b}]0;owned\\u{7}\\u{9b}31m\\u{d}\\u{202e}gpj.exe\\u{2066}";

  test("control and bidirectional characters of a question are shown as escapes, not obeyed", async () => {
    const question = {
      question: `Q${evil}?`,
      header: `H${evil}`,
      options: [{ label: `L${evil}`, description: `D${evil}\n2. Fake` }, { label: "Blue" }],
    };
    const cwd = await folderWith({ "s.json": JSON.stringify([asksLine([question]), `text: "T${evil}"`]) });
    const terminal = chat(["--script", "s.json", "--prompt", "go"], { cwd, columns: 200 });
    const screen = await terminal.waitFor(QUESTION);
    for (const place of ["Q", "H", "L", "D"]) expect(screen).toContain(place + shown);
    expect(screen).not.toMatch(/^ *2\. Fake/m);
    terminal.type("1\r");
    await terminal.waitFor(`T${shown}`);
    for (const obeyed of ["\u001b[2J", "\u001b]", "\u0007", "\u009b", "\u202e", "\u2066"])
      expect(terminal.sent).not.toContain(obeyed);
  });

  test("control characters of an agent's error are shown as escapes, not obeyed", async () => {
    const terminal = chat(["--prompt", "fail", "--", process.execPath, agent], { cwd: await folderWith() });
    await terminal.waitFor("askwire: gone \\u{1b}[2J\\u{202e}");
    // The conversation goes on, and its end says that its last turn failed.
    await terminal.waitFor(PROMPT);
    terminal.type("/exit\r");
    expect((await terminal.ended).exitCode).toBe(1);
    for (const obeyed of ["\u001b[2J", "\u202e"]) expect(terminal.sent).not.toContain(obeyed);
  });
});

test("a question says what is recommended and what is the default, and takes no own words where none count (P-XQS-1, P-XQS-3)", async () => {
  const cwd = fileURLToPath(new URL("../../../../examples", import.meta.url));
  const terminal = chat(["--", "node", "theme-agent.mjs"], { cwd });
  await terminal.waitFor(PROMPT);
  terminal.type("hello\r");
  const screen = await terminal.waitFor("a number, no other words (/decline to decline) >");
  expect(screen).toContain("  1. Day\n     │ ```css\n     │ body { background: white }\n     │ ```\n");
  expect(screen).toContain("  2. Night (recommended, default)\n");
  terminal.type("Dusk\r");
  await terminal.waitFor("Only the options count here: the numbers 1 to 2.");
  terminal.type("/exit\r");
  await terminal.waitFor("/exit is for the prompt: /decline first, or a blank before it.");
  terminal.type("1\r");
  await terminal.waitFor("day, by human; not shown: deadline.");
});

describe("colours", () => {
  const BOLD = "\u001b[1m";

  async function answered(env: Record<string, string>): Promise<string> {
    const terminal = chat(["--script", "s.json"], { cwd: await folderWith({ "s.json": colourScript }), env });
    await terminal.waitFor(PROMPT);
    terminal.type("hello\r");
    await terminal.waitFor(QUESTION);
    terminal.type("1\r");
    await terminal.waitFor(/Thanks\.\n>$/);
    return terminal.sent;
  }

  test("a terminal gets colours", async () => expect(await answered({})).toContain(BOLD));
  test("NO_COLOR removes the colours", async () =>
    expect(await answered({ NO_COLOR: "1" })).not.toContain(BOLD));
  test("TERM=dumb removes the colours as well", async () =>
    expect(await answered({ TERM: "dumb" })).not.toContain(BOLD));
});
