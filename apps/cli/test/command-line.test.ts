import { spawn } from "node:child_process";
import { describe, expect, test } from "vitest";
import { askwire, colourScript, command, folderWith, startAskwire } from "./askwire.js";

describe("info", () => {
  test("info --json prints one line that a client which launches kimi understands", async () => {
    const { stdout, stderr, status } = await askwire(["info", "--json"]);
    expect(stdout).toMatch(/^[^\n]+\n$/);
    expect(JSON.parse(stdout)).toEqual({
      kimi_cli_version: "1.49.0",
      wire_protocol_version: "1.10",
      askwire_version: "0.1.0",
    });
    expect(stderr).toBe("");
    expect(status).toBe(0);
  });

  test("info without --json prints text for people", async () => {
    const { stdout, status } = await askwire(["info"]);
    expect(stdout).toBe("askwire 0.1.0\nwire protocol 1.10 (as kimi-cli 1.49.0)\n");
    expect(status).toBe(0);
  });
});

test.each(["--version", "-V"])("%s prints the version alone", async (flag) => {
  const { stdout, status } = await askwire([flag]);
  expect(stdout).toBe("0.1.0\n");
  expect(status).toBe(0);
});

describe("help", () => {
  test.each([
    [[], "Usage: askwire "],
    [["--help"], "Usage: askwire "],
    [["chat", "--help"], "Usage: askwire chat "],
    [["serve", "--help"], "Usage: askwire serve "],
    [["info", "-h"], "Usage: askwire info "],
  ])("askwire %j prints the usage on standard output and exits 0", async (args, usage) => {
    const { stdout, stderr, status } = await askwire(args);
    expect(stdout.startsWith(usage)).toBe(true);
    expect(stderr).toBe("");
    expect(status).toBe(0);
  });

  test("the help names every command", async () => {
    const { stdout } = await askwire(["--help"]);
    for (const name of ["chat", "serve", "info"]) expect(stdout).toMatch(new RegExp(`^ {2}${name} `, "m"));
  });
});

describe("a wrong command line", () => {
  test.each([
    [["chart"], "unknown command 'chart'"],
    [["--wire", "extra"], "unknown command 'extra'"],
    [["--wier"], "unknown option '--wier'"],
    [["chat", "--scirpt", "x"], "unknown option '--scirpt'\n(Did you mean --script?)"],
    [["info", "extra"], "too many arguments"],
    [["chat", "--interview"], "option '--interview <file>' argument missing"],
    [["--wire", "--max-steps-per-turn", "none"], "expected a whole number from 1"],
    [["mcp", "--timeout", "86401"], "expected a whole number from 1 to 86400"],
    [["mcp", "--idle", "1441"], "expected a whole number from 1 to 1440"],
  ])("askwire %j exits 2, prints nothing on standard output and says what to do", async (args, problem) => {
    const { stdout, stderr, status } = await askwire(args);
    expect(stderr).toContain(problem);
    expect(stderr).toMatch(/\(.*askwire --help.*\)\n$/);
    expect(stdout).toBe("");
    expect(status).toBe(2);
  });

  test.each([[["chat", "--"]], [["chat", "--prompt", "hello", "--"]]])(
    "askwire %j, without the program after it, says so",
    async (args) => {
      const { stdout, stderr, status } = await askwire(args);
      expect(stderr).toBe(
        "askwire: chat --: expected a program, such as: askwire chat -- node my-agent.mjs\n",
      );
      expect([stdout, status]).toEqual(["", 2]);
    },
  );

  test("serve without a way to listen names --stdio", async () => {
    const { stderr, status } = await askwire(["serve"]);
    expect(stderr).toContain("--stdio");
    expect(status).toBe(2);
  });

  test.each([
    [
      ["audit", "--work-dir", "/w", "forget", "Ann", "--yes"],
      "--work-dir",
      "put it behind, as in askwire audit forget",
    ],
    [
      ["audit", "--since", "1d", "forget", "Ann", "--yes"],
      "--since",
      "leave it out: forget has no such option",
    ],
    [["sessions", "--store", "postgres://db/a", "rm", "s", "--yes"], "--store", "put it behind"],
    [["inbox", "--connect", "ws://127.0.0.1:1/wire", "answer", "id"], "--connect", "put it behind"],
  ])(
    "an option that stands before the command of a command, and would not count there, is refused (%j)",
    async (args, option, next) => {
      const { stderr, status } = await askwire(args);
      expect(stderr).toContain(`${option} stands before "`);
      expect(stderr).toContain(next);
      expect(status).toBe(2);
    },
  );

  test("a wrong ASKWIRE_LOG is answered with the levels that exist", async () => {
    const { stderr, status } = await askwire(["--wire"], {
      cwd: await folderWith(),
      env: { ASKWIRE_LOG: "loud" },
    });
    expect(stderr).toBe("askwire: ASKWIRE_LOG=loud: expected one of debug, info, warn, error, silent\n");
    expect(status).toBe(2);
  });
});

describe("standard output", () => {
  test.each([
    ["info", [], 0],
    ["--help", [], 0],
    ["--version", [], 0],
    ["serve", ["--help"], 0],
    ["conformance", ["server", "--list"], 0],
    ["chat", ["--script", "s.json", "--prompt", "hello"], 1],
  ])("a closed standard output ends %s %j without a word, with %i", async (name, args, status) => {
    const cwd = await folderWith({ "s.json": colourScript });
    const { child, ended } = startAskwire([name, ...args], { cwd });
    child.stdout.destroy();
    expect(await ended).toMatchObject({ stderr: "", status });
  });

  test.each(["info", "--help"])(
    "%s fails with one line on a standard output that cannot be written",
    async (name) => {
      const child = spawn("/bin/sh", ["-c", `exec '${process.execPath}' '${command}' ${name} >/dev/full`]);
      let stderr = "";
      child.stderr.on("data", (text) => {
        stderr += text;
      });
      expect(await new Promise((resolve) => child.once("close", resolve))).toBe(1);
      expect(stderr).toMatch(/^askwire: [^\n]*ENOSPC[^\n]*\n$/);
    },
  );
});
