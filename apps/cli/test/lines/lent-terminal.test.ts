import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { folderWith } from "../askwire.js";
import { modesLeftOn } from "../lent-terminal.js";
import { openTerminal } from "../terminal.js";

const CTRL_Z = "\u001a";
const FRAME = "said\na question on 80 by 24\n>";
let folder: string;
let program: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "askwire-test-"));
  program = join(folder, "program.cjs");
  await build({
    entryPoints: [fileURLToPath(new URL("./lent-terminal-program.ts", import.meta.url))],
    outfile: program,
    bundle: true,
    platform: "node",
    target: "node20",
    conditions: ["@askwire/source"],
    logLevel: "silent",
  });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The program in a shell with job control; what the terminal is set to is noted before and after. */
async function asking(script = "run; echo left $?", env: Record<string, string> = {}) {
  const cwd = await folderWith();
  const run = `run() { '${process.execPath}' '${program}'; }`;
  const shell = `${run}\nstty -a >before\n${script}\nstty -a >after\necho finished; cat`;
  const terminal = openTerminal("/bin/sh", ["-c", shell], { cwd, env });
  await terminal.waitFor(FRAME);
  const pid = Number(await readFile(join(cwd, "pid"), "utf8"));
  return {
    terminal,
    pid,
    /** Asserts that nothing of the panel stayed in the terminal. */
    async isAsBefore(shown: RegExp) {
      expect(await terminal.waitFor("finished")).toMatch(shown);
      expect(modesLeftOn(terminal.sent)).toEqual([]);
      expect(terminal.sent.split("\u001b[22;0t")).toHaveLength(terminal.sent.split("\u001b[23;0t").length);
      expect(await readFile(join(cwd, "after"), "utf8")).toBe(await readFile(join(cwd, "before"), "utf8"));
      terminal.type("echoed?");
      await terminal.waitFor("echoed?");
    },
  };
}

test("a program that gives the terminal back leaves nothing of its panel, and continues with its prompt", async () => {
  const { terminal, isAsBefore } = await asking();
  terminal.type("q");
  await terminal.waitFor(/^said\nprompt>$/);
  terminal.type("hello\r");
  await isAsBefore(/^said\nprompt> hello\ngot hello\nleft 0\n/);
});

test("a program that exits in the middle of a panel leaves nothing of it", async () => {
  const { terminal, isAsBefore } = await asking();
  terminal.type("x");
  await isAsBefore(/^said\nleft 3\n/);
});

test("a program that fails in the middle of a panel leaves nothing of it, and its error stands in its place", async () => {
  const { terminal, isAsBefore } = await asking();
  terminal.type("t");
  await isAsBefore(/^said\n(?!a question)[\s\S]*Error: thrown[\s\S]*left 1\n/);
});

test("a program that hears a signal and ends leaves nothing of its panel", async () => {
  const { pid, isAsBefore } = await asking();
  process.kill(pid, "SIGTERM");
  await isAsBefore(/^said\nleft 143\n/);
});

test("Ctrl-Z removes the panel and stops the job, which shows it again and takes keys once continued", async () => {
  const { terminal, isAsBefore } = await asking(
    `set -m; '${process.execPath}' '${program}'; echo stopped; fg; echo left $?`,
  );
  terminal.type(`a${CTRL_Z}`);
  await terminal.waitFor(/^said\nstopped\n.*\na question.*\n> a$/);
  expect(modesLeftOn(terminal.sent.slice(0, terminal.sent.indexOf("stopped")))).toEqual([]);
  terminal.type("bq");
  await terminal.waitFor(/prompt>$/);
  terminal.type("hello\r");
  await isAsBefore(/^said\nstopped\n.*\nprompt> hello\ngot hello\nleft 0\n/);
});

test("a program that somebody else stops redraws its panel, and gets its keys one by one again", async () => {
  const { terminal, pid, isAsBefore } = await asking(
    `set -m; '${process.execPath}' '${program}'; echo stopped; stty sane; fg; echo left $?`,
  );
  process.kill(pid, "SIGSTOP");
  await terminal.waitFor(/stopped\n.*\na question.*\n>$/);
  terminal.type("bq");
  await terminal.waitFor(/prompt>$/);
  terminal.type("hello\r");
  await isAsBefore(/stopped\n.*\nprompt> hello\ngot hello\nleft 0\n/);
});

test("a terminal that is narrowed and widened still has exactly one panel", async () => {
  const { terminal, isAsBefore } = await asking(undefined, { TERM_PROGRAM: "vscode" });
  terminal.type("a".repeat(30));
  await terminal.waitFor(/a{30}$/);
  terminal.resize(60, 10);
  terminal.resize(80, 24);
  terminal.type("b");
  await terminal.waitFor(/^said\na question on 80 by 24\n> a{30}b$/);
  terminal.type("x");
  await isAsBefore(/^said\nleft 3\n/);
});

test("a program whose standard input and output are pipes has its panel at the terminal, at another size too", async () => {
  const { terminal, isAsBefore } = await asking("echo | run | cat; echo left");
  terminal.resize(60, 10);
  await terminal.waitFor("said\na question on 60 by 10\n>");
  terminal.resize(80, 24);
  await terminal.waitFor(FRAME);
  terminal.type("q");
  await terminal.waitFor(/^said\nprompt>$/);
  terminal.type("hello\r");
  await isAsBefore(/^said\nprompt> hello\ngot hello\nleft\n/);
});
