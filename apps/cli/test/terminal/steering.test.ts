import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { askwire, folderWith, withoutSlowStart } from "../askwire.js";
import { openAskwire, type Terminal } from "../terminal.js";

const agent = fileURLToPath(new URL("./steered-agent.mjs", import.meta.url));
const CTRL_C = "\u0003";

/** `askwire chat` in a terminal, with an agent that works. */
async function working(prompt = "work", ...args: string[]): Promise<Terminal> {
  const line = ["chat", "--plain", "--prompt", prompt, "--", process.execPath, agent, ...args];
  const terminal = openAskwire(line, { cwd: await folderWith() });
  await terminal.waitFor(prompt === "half" ? "Working" : new RegExp(`Got ${prompt}\\.\\n»$`));
  return terminal;
}

describe("text typed while the agent works", () => {
  test("a line typed while the agent works reaches it and is shown when it is read, then the prompt returns", async () => {
    const terminal = await working();
    terminal.type("in German\r");
    await terminal.waitFor(/» in German\n↪ in German\n»$/);
    terminal.type("stop\r");
    const screen = await terminal.waitFor(/\n>$/);
    expect(withoutSlowStart(screen)).toBe("Got work.\n» in German\n↪ in German\n» stop\n↪ stop\n>");
  });

  test("a line typed in the middle of the agent's words is shown again on a line of its own", async () => {
    const terminal = await working("half");
    terminal.type("in German\r");
    await terminal.waitFor(/^Workingin German\n» in German\n↪ in German\n»$/m);
  });

  test("a line not entered while the agent works is there at the next prompt", async () => {
    const terminal = await working();
    terminal.type("ask\r");
    await terminal.waitFor("to decline) >");
    terminal.type("1\r");
    await terminal.waitFor(/Answered Yes\.\n»$/);
    terminal.type("stop\rand th");
    await terminal.waitFor(/\n> and th$/);
    terminal.type("en\r");
    await terminal.waitFor(/> and then\nGot and then\.\n>$/);
  });

  test("a line not yet entered holds back a question that comes until the line is sent", async () => {
    const terminal = await working();
    terminal.type("ask\rdo not ");
    await terminal.waitFor(/\(The agent has a question for you, once this line is empty: [^)]*\)\n» do not$/);
    terminal.type("delete the files\r");
    await terminal.waitFor(
      /» do not delete the files\n[\s\S]*↪ do not delete the files\n[\s\S]*to decline\) >$/,
    );
    terminal.type("1\r");
    await terminal.waitFor(/Answered Yes\.\n»$/);
  });

  test("a line typed ahead answers a question once there is one, which shows its body first", async () => {
    const terminal = await working();
    terminal.type("ask\r");
    const screen = await terminal.waitFor("to decline) >");
    expect(screen).toContain("? Sure?\nThe whole plan.\n  1. Yes\n  2. No\n");
    terminal.type("2\r");
    await terminal.waitFor(/> 2\n→ No\nAnswered No\.\n»$/);
  });

  test("a blank line sends nothing while the agent works, and Ctrl-C cancels and drops what was half typed", async () => {
    const terminal = await working();
    terminal.type("  \r");
    terminal.type("in Ger");
    await terminal.waitFor("» in Ger");
    terminal.type(CTRL_C);
    await terminal.waitFor(/\(cancelled\)\n>$/);
    terminal.type(CTRL_C);
    expect(await terminal.ended).toMatchObject({ exitCode: 0 });
    expect(terminal.screen()).not.toContain("↪");
  });

  test("a command typed while the agent works waits for the prompt, but /help is shown at once and /exit leaves after the turn", async () => {
    const terminal = await working();
    terminal.type("/compact now\r");
    terminal.type("/help\r");
    await terminal.waitFor("/compact  Sums up all. (also /c)");
    terminal.type("/exit\r");
    terminal.type("stop\r");
    expect(await terminal.ended).toMatchObject({ exitCode: 0 });
    expect(terminal.screen()).toContain("↪ stop\n> /compact now\nGot /compact now.\n");
  });

  test("a line typed to an agent that cannot be steered is reported as unheard, and later lines wait for the prompt", async () => {
    const terminal = await working("work", "-32601");
    terminal.type("in German\r");
    await terminal.waitFor(
      /» in German\n\(this agent hears nothing while it works: say it again at the prompt\)$/,
    );
    terminal.type("stop\r");
    terminal.type(CTRL_C);
    await terminal.waitFor(/\(cancelled\)\n> stop\nGot stop\.\n>$/);
  });

  test("a line that an agent does not take now is kept for the prompt", async () => {
    const terminal = await working("work", "-32000");
    terminal.type("in German\r");
    await terminal.waitFor(/» in German\n\(not taken in this turn: it is said at the next prompt\)\n»$/);
    terminal.type(CTRL_C);
    await terminal.waitFor(/\(cancelled\)\n> in German\nGot in German\.\n>$/);
  });

  test("a line that an agent refuses is reported with the agent's words", async () => {
    const terminal = await working("work", "-32603");
    terminal.type("in German\r");
    await terminal.waitFor(/» in German\n\(not passed on: not now\)\n»$/);
  });

  test("a line typed when the turn is just over is the next prompt", async () => {
    const terminal = await working("late");
    terminal.type("in German\r");
    await terminal.waitFor(/said at the next prompt\)\n> in German\nGot in German\.\n>$/);
  });
});

describe("a line that begins with /", () => {
  const chat = (input: string, ...args: string[]) =>
    askwire(["chat", ...args, "--", process.execPath, agent], { input });

  test("a line that begins with / goes to the agent if it is one of its commands, by name or by alias", async () => {
    const { stdout, status } = await chat("/compact now\n/c\n");
    expect(stdout).toBe("> \nGot /compact now.\n> \nGot /c.\n> \n");
    expect(status).toBe(0);
  });

  test("/help lists the agent's commands and the terminal's own", async () => {
    const { stdout } = await chat("/help\n");
    const rows = [
      "  /compact  Sums up all. (also /c)",
      "  /help     shows this",
      "  /output   shows all that the last call printed, as Ctrl-O does; a number shows that of another call",
      "  /copy     copies the last answer as it was written",
      "  /history  shows what was asked and answered",
      "  /decline  declines what is asked",
      "  /exit     leaves",
    ];
    expect(stdout).toBe(`> \n${rows.join("\n")}\n> \n`);
  });

  test("/output says that nothing was printed", async () => {
    const { stdout } = await chat("/output\n");
    expect(stdout).toBe("> \nThere is no such output.\n> \n");
  });

  test("a line that begins with / counts as a slip if nobody knows it, unless a blank before it shows that it is meant", async () => {
    const { stdout } = await chat("/compcat\n /compcat\n/usr/bin is full\n/decline\n");
    expect(stdout).toMatch(/There is no \/compcat: \/help lists .*\n> \nGot {2}\/compcat\.\n/);
    expect(stdout).toContain("Got /usr/bin is full.\n");
    expect(stdout).toContain("Nothing is asked.\n");
  });

  test("/exit leaves, and with a blank before it is sent as words", async () => {
    const { stdout } = await chat(" /exit\n/exit\nhello\n");
    expect(stdout).toBe("> \nGot  /exit.\n> \n");
  });

  test("lines from a pipe remain answers and prompts, and none steers", async () => {
    const { stdout } = await chat("hello\nworld\n");
    expect(stdout).toBe("> \nGot hello.\n> \nGot world.\n> \n");
  });
});
