import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { endings } from "@askwire/protocol";
import { describe, expect, test } from "vitest";
import { colour, command, folderWith, startAskwire } from "../askwire.js";
import { openTerminal, type Terminal, type TerminalOptions } from "../terminal.js";
import { asks, name, printed, size } from "./asked.js";

const CTRL_C = "\u0003";
const CTRL_Z = "\u001a";
const PROMPT = "/decline to decline) >";
const READS = "askwire: ask: reads its questions from standard input, until that ends\n";
const flags = "--question 'Which colour?' --option Red --option Blue";

/** A shell script at a terminal, in which `ask` is the command. */
function shell(script: string, options: TerminalOptions): Terminal {
  const ask = `ask() { '${process.execPath}' '${command}' ask --plain "$@"; }`;
  return openTerminal("/bin/sh", ["-c", `${ask}\n${script}`], options);
}

/** Runs the command in a session of its own, which has no controlling terminal. */
const withoutTerminal = (args: readonly string[]) => startAskwire(["ask", ...args], { detached: true });

describe("without a terminal", () => {
  test("`ask` without a terminal and without answers ends at once as unattended", async () => {
    // Standard input stays open: nothing waits for its end.
    const { stdout, stderr, status } = await withoutTerminal(["--question", "Deploy?"]).ended;
    expect(printed(stdout)).toMatchObject({
      outcome: { status: "unavailable", reason: "unattended", by: "policy" },
      answers: {},
      items: [],
    });
    expect(stderr).toBe(
      "askwire: ask: there is no terminal to ask at: give the answers with --answers FILE\n",
    );
    expect(status).toBe(4);
  });

  test("`ask` fails when it cannot write its line", async () => {
    const cwd = await folderWith({ "a.json": "{}" });
    const terminal = shell(`ask --question Why? --answers a.json >/dev/full; echo "exit $?"`, { cwd });
    const screen = await terminal.waitFor(/exit \d+/);
    expect(screen).toContain("askwire: standard output: ENOSPC");
    expect(screen).toContain("exit 1");
  });
});

test("an interrupt while ask still reads the questions withdraws them", async () => {
  const { child, ended } = withoutTerminal([]);
  // Far more than a pipe holds: written once the command has read most of it.
  await new Promise((resolve) => child.stdin.write(" ".repeat(8_000_000), resolve));
  child.kill("SIGTERM");
  const { stdout, stderr, status } = await ended;
  expect(printed(stdout)).toMatchObject({
    outcome: { status: "withdrawn", reason: "shutdown" },
    items: [],
  });
  // A slow machine may say meanwhile what it waits for.
  expect(stderr.replace(READS, "")).toBe("");
  expect(status).toBe(130);
});

test("a command that waits for its questions says so", async () => {
  const { child, ended } = withoutTerminal(["--answers", "/dev/null"]);
  const [said] = await once(child.stderr, "data");
  expect(said).toBe(READS);
  child.stdin.end();
  expect((await ended).status).toBe(2);
});

test("a question whose time is over is taken off the terminal, and the script goes on with exit code 4", async () => {
  const terminal = shell(`ask ${flags} --timeout 1; echo "exit $?"`, {});
  await terminal.waitFor(PROMPT);
  const screen = await terminal.waitFor(/exit \d+/);
  expect(screen).toContain('"status":"expired","reason":"deadline","by":"system"');
  expect(screen).toContain("exit 4");
});

test("a yes or a no at the terminal is an exit code, and its word is printed where it is wanted", async () => {
  const terminal = shell(`ask --yes-no --question 'Go?' --print label; echo "exit $?"`, {});
  await terminal.waitFor(PROMPT);
  terminal.type("no\r");
  expect(await terminal.waitFor(/exit \d+/)).toMatch(/\nfalse\s+exit 10/);
});

describe("at the terminal", () => {
  test("the person is asked at the terminal, and the line of the answers follows", async () => {
    const terminal = shell(`ask ${flags} --header Colour; echo "exit $?"`, { columns: 400 });
    const asked = await terminal.waitFor(PROMPT);
    expect(asked).toContain("? Colour · Which colour?\n  1. Red\n  2. Blue\n");
    terminal.type("2\r");
    const screen = await terminal.waitFor(/exit \d+/);
    expect(screen).toMatch(/\n\{"outcome":\{"status":"answered".*"answers":\{"Which colour\?":"Blue"\}/);
    expect(screen).toContain("exit 0");
  });

  test("inside $(…) the prompts are at the terminal and the line alone is the value", async () => {
    const cwd = await folderWith();
    const terminal = shell(`x=$(ask ${flags}); echo "exit $?"; printf '%s\\n' "$x" >out`, { cwd });
    await terminal.waitFor(PROMPT);
    terminal.type("teal\r");
    const screen = await terminal.waitFor("exit 0");
    expect(screen).not.toContain("outcome");
    await terminal.ended;
    const { answers, items } = printed(await readFile(join(cwd, "out"), "utf8"));
    expect(answers).toEqual({ "Which colour?": "teal" });
    expect(items).toEqual([{ question_id: "q1", selected: [], own_text: "teal" }]);
  });

  test("`ask` takes keys from the terminal while the questions are piped in and the line is piped out", async () => {
    const cwd = await folderWith({ "q.json": asks(colour, size, name) });
    const terminal = shell("cat q.json | ask | cat >out; echo finished; cat", { cwd });
    await terminal.waitFor(PROMPT);
    terminal.type("blue\r");
    await terminal.waitFor(PROMPT, { times: 2 });
    terminal.type("1,3\r");
    await terminal.waitFor(PROMPT, { times: 3 });
    terminal.type("Ada's\r");
    await terminal.waitFor("finished");
    expect(printed(await readFile(join(cwd, "out"), "utf8")).answers).toEqual({
      "Which colour?": "Blue",
      "Which sizes?": "S, L",
      "What is it called?": "Ada's",
    });
  });

  test("an answer that does not fit its pattern is asked for again, and no other answer is (P-XFL-4)", async () => {
    const product = { question: "Which product?", field: { type: "text", pattern: "^[a-z]+$" } };
    const cwd = await folderWith({ "q.json": asks(colour, product, name) });
    const terminal = shell("ask <q.json >out; echo finished; cat", { cwd });
    await terminal.waitFor(PROMPT);
    terminal.type("1\rShop\rAda's\r");
    await terminal.waitFor(/\(not taken: .*pattern.*\)\n\? Which product\?/);
    terminal.type("shop\r");
    const screen = await terminal.waitFor("finished");
    expect(screen.match(/^\? .*/gm)).toEqual([
      "? Colour · Which colour?",
      "? Which product?",
      "? What is it called?",
      "? Which product?",
    ]);
    const { answers } = printed(await readFile(join(cwd, "out"), "utf8"));
    expect(answers).toEqual({
      "Which colour?": "Red",
      "Which product?": "shop",
      "What is it called?": "Ada's",
    });
  });

  test("answers typed ahead count, each for its own question", async () => {
    const cwd = await folderWith({ "q.json": asks(colour, name) });
    const terminal = shell("ask <q.json >out; echo finished; cat", { cwd });
    await terminal.waitFor(PROMPT);
    terminal.type("1\rAda's\r");
    const screen = await terminal.waitFor("finished");
    expect(screen).toMatch(/> Ada's\n→ Ada's\nfinished$/);
    const { answers } = printed(await readFile(join(cwd, "out"), "utf8"));
    expect(answers).toEqual({ "Which colour?": "Red", "What is it called?": "Ada's" });
  });

  test.each([
    ["/decline", "/decline\r"],
    ["Ctrl-D", "\u0004"],
  ])("%s at the terminal declines", async (_what, keys) => {
    const cwd = await folderWith();
    const terminal = shell(`ask ${flags} >out; echo "exit $?"`, { cwd });
    await terminal.waitFor(PROMPT);
    terminal.type(keys);
    expect(await terminal.waitFor(/exit \d+/)).toContain("exit 3");
    const { outcome } = printed(await readFile(join(cwd, "out"), "utf8"));
    expect(outcome).toMatchObject({ status: "declined", reason: "dismissed", by: "human" });
  });

  test.each([
    ["$(…)", `x=$(ask ${flags}); echo "exit $?"; printf '%s\\n' "$x" >out`],
    ["standard input and output", `ask ${flags} | tee out; echo "exit $(grep -c withdrawn out)30"`],
    ["pipes on both sides", 'cat q.json | ask >out; echo "exit $?"'],
  ])("Ctrl-C withdraws, and the script continues: %s", async (_what, script) => {
    const cwd = await folderWith({ "q.json": asks(colour) });
    const terminal = shell(`stty -a >before; ${script}; stty -a >after; echo finished; cat`, { cwd });
    await terminal.waitFor(PROMPT);
    terminal.type("half");
    await terminal.waitFor("> half");
    terminal.type(CTRL_C);
    const screen = await terminal.waitFor("finished");
    expect(screen).toMatch(/> half\n\(no longer open: interrupted\)\n(\{"outcome.*\n)?exit 1?30\nfinished/);
    expect(printed(await readFile(join(cwd, "out"), "utf8"))).toMatchObject({
      outcome: { status: "withdrawn", reason: "interrupted", by: "human" },
      answers: {},
      items: [],
    });
    terminal.type("echoed?");
    await terminal.waitFor("echoed?");
    expect(await readFile(join(cwd, "after"), "utf8")).toBe(await readFile(join(cwd, "before"), "utf8"));
  });

  test.each([
    ["TERM", endings.terminate],
    ["INT", endings.interrupt],
    ["HUP", endings.hangup],
  ])("SIG%s ends the questions and leaves the terminal as ask found it (P-WHO-2)", async (signal, ending) => {
    const cwd = await folderWith();
    const start = `'${process.execPath}' '${command}' ask --plain ${flags}`;
    const script = `stty -a >before; sh -c "echo \\$\\$ >pid; exec ${start} >out"; echo "exit $?"; stty -a >after; echo finished; cat`;
    const terminal = shell(script, { cwd });
    await terminal.waitFor(PROMPT);
    process.kill(Number(await readFile(join(cwd, "pid"), "utf8")), `SIG${signal}`);
    expect(await terminal.waitFor("finished")).toContain(`exit ${ending.exit.ask}`);
    expect(printed(await readFile(join(cwd, "out"), "utf8")).outcome).toMatchObject(
      ending.question.asked as object,
    );
    expect(await readFile(join(cwd, "after"), "utf8")).toBe(await readFile(join(cwd, "before"), "utf8"));
  });

  test("Ctrl-Z stops the script together with ask, and both resume with what was typed", async () => {
    const cwd = await folderWith({
      "script.sh": `x=$('${process.execPath}' '${command}' ask --plain ${flags})`,
    });
    const terminal = shell('set -m; sh script.sh; echo "stopped $?"; fg; echo "exit $?"', { cwd });
    await terminal.waitFor(PROMPT);
    terminal.type("te");
    await terminal.waitFor("> te");
    terminal.type(CTRL_Z);
    await terminal.waitFor(/stopped \d\d\d[\s\S]*> te$/);
    terminal.type("al\r");
    expect(await terminal.waitFor(/exit \d+/)).toMatch(/> teal\n→ in your own words: teal\nexit 0/);
  });

  test("`ask` without a question says how to give one", async () => {
    const terminal = shell('ask; echo "exit $?"', { columns: 120 });
    expect(await terminal.waitFor(/exit \d+/)).toBe(
      "askwire: ask: no question: give --question TEXT or --questions FILE, or pipe one in\nexit 2",
    );
  });
});
