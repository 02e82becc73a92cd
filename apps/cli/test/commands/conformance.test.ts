import { spawnSync } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { command, folderWith, startAskwire } from "../askwire.js";
import { openAskwire } from "../terminal.js";

const brokenServer = fileURLToPath(
  new URL("../../../../packages/conformance-tests/test/servers/base-server.mjs", import.meta.url),
);

const start = (args: readonly string[]) => startAskwire(["conformance", ...args]);
const conformance = (args: readonly string[]) => start(args).ended;

test.each([
  ["server", ["--wire"], /: \d{3} passed, 0 failed, 1 skipped/],
  ["gateway", ["serve", "--listen", "127.0.0.1:0"], /: \d+ passed, 0 failed, 0 skipped/],
])(
  "the command passes every check that the suite for a %s has",
  async (subject, args, counts) => {
    const server = [process.execPath, command, ...args];
    const { stdout, stderr, status } = await conformance([subject, "--timeout", "60", "--", ...server]);
    const red = stdout.split("\n").filter((line) => line.startsWith("FAIL"));
    expect({ red, status }).toEqual({ red: [], status: 0 });
    expect(stdout).toMatch(counts);
    expect(stderr).toMatch(/^10 of \d+ checks\n(\d+ of \d+ checks\n)*$/);
  },
  600_000,
);

/** The checks of a relay that look at flags and files of the command itself: an agent behind another keeps its own. */
const ofTheCommand = ["F33", "F36", "S74", "X06", "X08"];
/** A check of each that a relay could lose: answers, approvals, tools, hooks, steps, plan mode, records of before, outcomes. */
const relayed = "S05,S33,S36,S38,S45,S60,S68,F30,F42,F52,X17,X22,X36";

test("the command behind its own relay passes the same checks, except for flags and files", async () => {
  const own = [process.execPath, command];
  const all = process.env.ASKWIRE_MUTANTS === "all";
  const { stdout } = await conformance([
    "server",
    "--timeout",
    "60",
    ...(all ? [] : ["--only", relayed]),
    "--",
    ...[...own, "serve", "--stdio", "--", ...own, "--wire"],
  ]);
  const red = [...stdout.matchAll(/^FAIL (\w+) .*\(\d+ ms/gm)].map(([, id]) => id);
  expect(red.sort()).toEqual(all ? ofTheCommand : []);
  expect(stdout).toMatch(/: \d{2,3} passed,/);
}, 600_000);

test("the command carries the client templates, and says how to continue", async () => {
  const folder = join(await folderWith(), "my-client");
  const { stdout, stderr, status } = await conformance(["template", "python", folder]);
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
  expect(stdout).toContain("  askwire conformance client --claims claims.txt -- python3 client.py\n");
  expect((await readdir(folder)).sort()).toEqual(["claims.txt", "client.py"]);
});

test("a broken server makes the suite exit with 1, and the failure is on standard output", async () => {
  const server = [process.execPath, brokenServer, "--fault", "two-ids"];
  const { stdout, stderr, status } = await conformance(["server", "--only", "s01,S28", "--", ...server]);
  expect(stdout).toMatch(/^ok +S01 /m);
  expect(stdout).toMatch(/^FAIL S28 /m);
  expect({ stderr, status }).toEqual({ stderr: "", status: 1 });
});

test("a server that writes no journal fails the checks that wait for a record of it, and the suite still ends", async () => {
  const elsewhere = `KIMI_SHARE_DIR=${await folderWith()}`;
  const servers = [
    ["F33", process.execPath, brokenServer],
    ["F33,X08", "env", elsewhere, process.execPath, command, "--wire"],
  ];
  const results = servers.map(async ([only = "", ...server]) => {
    // The time for all of a check, with the start of a program on a busy machine.
    const { stdout, stderr, status } = await conformance([
      "server",
      "--timeout",
      "6",
      "--only",
      only,
      "--",
      ...server,
    ]);
    expect({ stderr, status }, stdout).toEqual({ stderr: "", status: 1 });
    const missing = /^ {2}expected {2}the request \S+ in the journal at \S+wire\.jsonl, within [\d.]+ s$/gm;
    expect(stdout.match(missing), stdout).toHaveLength(only.split(",").length);
  });
  await Promise.all(results);
}, 120_000);

test.runIf(process.platform === "linux")(
  "a program that left the server's group but holds its output is ended together with the suite",
  async () => {
    const program = `
    const { pid } = require("node:child_process").spawn("sleep", ["300"], { detached: true, stdio: "inherit" });
    process.stderr.write("holder " + pid + "\\n");
    process.stdin.resume();`;
    const server = [process.execPath, "-e", program, "--"];
    const { stdout, status } = await conformance(["server", "--timeout", "2", "--", ...server]);
    const holder = Number(/!! holder (\d+)$/m.exec(stdout)?.[1]);
    // A process that has ended keeps its number until somebody asks how, and one that was killed dies a moment later.
    const state = () => spawnSync("ps", ["-o", "stat=", "-p", `${holder}`]).stdout.toString();
    await expect.poll(state).toMatch(/^(Z.*\n)?$/);
    expect(stdout).toMatch(/^The command does not speak, so no check was run\.$/m);
    expect(status).toBe(1);
  },
);

test("--json prints one report that a program can read", async () => {
  const server = [process.execPath, brokenServer];
  const { stdout, status } = await conformance(["server", "--json", "--only", "S01", "--", ...server]);
  expect(JSON.parse(stdout)).toMatchObject({ subject: "server", passed: true, results: [{ id: "S01" }] });
  expect(status).toBe(0);
});

test("a baseline turns known failures green, and its reports are written to files and one page", async () => {
  const folder = await folderWith();
  const file = (name: string) => join(folder, name);
  const server = [process.execPath, brokenServer, "--fault", "two-ids"];
  const only = ["server", "--only", "S01,S28"];
  const files = ["--junit", file("junit.xml"), "--report", file("one.json"), "--html", file("one.html")];
  const first = await conformance([
    ...only,
    ...files,
    "--write-baseline",
    file("known.txt"),
    "--",
    ...server,
  ]);
  expect(first.status).toBe(1);
  expect(await readFile(file("junit.xml"), "utf8")).toMatch(/tests="2" failures="1"/);
  expect(await readFile(file("one.html"), "utf8")).toContain('<b class="failed">fail</b>');
  const known = ["--baseline", file("known.txt")];
  expect((await conformance([...only, ...known, "--", ...server])).status).toBe(0);
  const mended = [process.execPath, brokenServer];
  const stale = await conformance([...only, ...known, "--report", file("two.json"), "--", ...mended]);
  expect(stale.stdout).toMatch(/^STALE S28 /m);
  expect(stale.status).toBe(1);
  const { stdout } = await conformance(["matrix", file("one.json"), file("two.json")]);
  expect(stdout.match(/<th scope="col" class="peer">/g)).toHaveLength(4);
});

test("--help shows the options and the exit codes", async () => {
  const { stdout, status } = await conformance(["--help"]);
  expect(stdout).toMatch(/^Usage: askwire conformance server\|client\|gateway/);
  expect(stdout).toContain("Exit codes: 0 all passed");
  expect(status).toBe(0);
});

test("--list shows each numbered line with its sentences, or the reason why it has no check, and runs nothing", async () => {
  const { stdout, status } = await conformance(["server", "--list"]);
  expect(stdout).toMatch(/^S44 MUST askwire\/questions .* \[P-ANS-1, P-KIM-7\]$/m);
  expect(stdout).toMatch(/^S77 no check, not visible: /m);
  expect(status).toBe(0);
});

test("an interrupt also ends the server under test, and exits with 1 and the report", async () => {
  const door = createServer();
  onTestFinished(() => void door.close());
  await new Promise<void>((resolve) => door.listen(0, "127.0.0.1", resolve));
  const { port } = door.address() as AddressInfo;
  const program = `require("node:net").connect(${port}, "127.0.0.1"); process.stdin.resume()`;
  const run = start([
    "server",
    "--only",
    "S01",
    "--timeout",
    "60",
    "--",
    process.execPath,
    "-e",
    program,
    "--",
  ]);
  const ended = new Promise<void>((resolve) => {
    door.once("connection", (socket) => {
      socket.on("error", () => {}).on("close", () => resolve());
      socket.resume();
      run.child.kill("SIGINT");
    });
  });
  const { stdout, stderr, status } = await run.ended;
  await ended;
  expect(stdout).toMatch(/^ {2}received {2}an interruption of the suite$/m);
  expect({ stderr, status }).toEqual({ stderr: "", status: 1 });
});

describe("the progress at a terminal", () => {
  const broken = ["--", process.execPath, brokenServer, "--fault", "two-ids"];

  test.each([
    ["in colour", {}, true],
    ["without colour under NO_COLOR", { NO_COLOR: "1" }, false],
  ])(
    "the suite shows its progress at a terminal, and then only the report is left, %s",
    async (_how, env, coloured) => {
      const args = ["conformance", "server", "--only", "S01,S28", ...broken];
      const terminal = openAskwire(args, { env, columns: 200 });
      expect((await terminal.ended).exitCode).toBe(1);
      expect(terminal.sent).toContain("2 of 2 checks, 1 red");
      expect(terminal.screen()).not.toContain("of 2 checks");
      expect(terminal.screen()).toMatch(/1 passed, 1 failed, 0 skipped/);
      expect(terminal.sent.includes("\u001b[31mFAIL")).toBe(coloured);
    },
  );
});

test.each([
  [["server"], /^askwire: server: name the command to check after --/],
  [["server", "--", "/no/such/server"], /^askwire: \/no\/such\/server: no such command; check the path\n$/],
  [
    ["server", "--only", "S99", "--", "true"],
    /^askwire: --only S99: there is no check S99; --list shows all\n$/,
  ],
  [["proxy", "--", "true"], /^askwire: proxy: expected one of server, client/],
  [
    ["server", "--timeout", "soon", "--", "true"],
    /^askwire: --timeout soon: expected a whole number from 1\n$/,
  ],
  [["server", "--claim", "cores", "--", "true"], /^askwire: --claim cores: expected profiles, levels or all/],
  [["server", "--retries", "-1", "--", "true"], /--retries/],
  [["server", "--colour", "--", "true"], /^askwire: Unknown option '--colour'.*--help shows all options/],
  [["server", "true"], /^askwire: server true: write -- before the command/],
  [["server", "--baseline", "/no/file", "--", "true"], /^askwire: --baseline \/no\/file: ENOENT/],
  [["matrix"], /name the files that --report wrote/],
  [["matrix", "/dev/null"], /expected a report that --report or --json wrote/],
])("conformance %j is a usage error with exit code 2 and the next step", async (args, message) => {
  const { stdout, stderr, status } = await conformance(args);
  expect(stderr).toMatch(message);
  expect({ stdout, status }).toEqual({ stdout: "", status: 2 });
});
