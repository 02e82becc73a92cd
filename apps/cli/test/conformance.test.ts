import { type AddressInfo, createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { command, folderWith, startAskwire } from "./askwire.js";
import { openAskwire } from "./terminal.js";

const brokenServer = fileURLToPath(
  new URL("../../../packages/conformance-tests/test/servers/base-server.mjs", import.meta.url),
);

const start = (args: readonly string[]) => startAskwire(["conformance", ...args]);
const conformance = (args: readonly string[]) => start(args).ended;

test.each([
  ["server", ["--wire"], /: \d{3} passed, 0 failed, 1 skipped/],
  ["gateway", ["serve", "--listen", "127.0.0.1:0"], /: \d+ passed, 0 failed, 0 skipped/],
])("the command keeps every promise that the suite for a %s knows", async (subject, args, counts) => {
  const server = [process.execPath, command, ...args];
  const { stdout, stderr, status } = await conformance([subject, "--timeout", "60", "--", ...server]);
  const red = stdout.split("\n").filter((line) => line.startsWith("FAIL"));
  expect({ red, stderr, status }).toEqual({ red: [], stderr: "", status: 0 });
  expect(stdout).toMatch(counts);
});

test("a broken server ends it with 1, and the failure is on standard output", async () => {
  const server = [process.execPath, brokenServer, "--fault", "two-ids"];
  const { stdout, stderr, status } = await conformance(["server", "--only", "s01,S28", "--", ...server]);
  expect(stdout).toMatch(/^ok +S01 /m);
  expect(stdout).toMatch(/^FAIL S28 /m);
  expect({ stderr, status }).toEqual({ stderr: "", status: 1 });
});

test("a server that writes no journal fails the checks that wait for a record of it, and the suite ends", async () => {
  const elsewhere = `KIMI_SHARE_DIR=${await folderWith()}`;
  const servers = [
    ["F33", process.execPath, brokenServer],
    ["F33,X08", "env", elsewhere, process.execPath, command, "--wire"],
  ];
  for (const [only = "", ...server] of servers) {
    const { stdout, stderr, status } = await conformance([
      "server",
      "--timeout",
      "2",
      "--only",
      only,
      "--",
      ...server,
    ]);
    expect({ stderr, status }).toEqual({ stderr: "", status: 1 });
    const missing = /^ {2}expected {2}the request \S+ in the journal at \S+wire\.jsonl, within 2 s$/gm;
    expect(stdout.match(missing)).toHaveLength(only.split(",").length);
  }
});

test("a program that left the server's group and holds its output does not keep the suite alive", async () => {
  const program = `
    const { pid } = require("node:child_process").spawn("sleep", ["300"], { detached: true, stdio: "inherit" });
    process.stderr.write("holder " + pid + "\\n");
    process.stdin.resume();`;
  const server = [process.execPath, "-e", program, "--"];
  const { stdout, status } = await conformance([
    "server",
    "--timeout",
    "2",
    "--only",
    "S01",
    "--",
    ...server,
  ]);
  process.kill(Number(/!! holder (\d+)$/m.exec(stdout)?.[1]), "SIGKILL");
  expect(stdout).toMatch(/^FAIL S01 /m);
  expect(status).toBe(1);
});

test("--json prints one report that a program can read", async () => {
  const server = [process.execPath, brokenServer];
  const { stdout, status } = await conformance(["server", "--json", "--only", "S01", "--", ...server]);
  expect(JSON.parse(stdout)).toMatchObject({ subject: "server", passed: true, results: [{ id: "S01" }] });
  expect(status).toBe(0);
});

test("--list shows every line with its sentences, or why it is none, and runs nothing", async () => {
  const { stdout, status } = await conformance(["server", "--list"]);
  expect(stdout).toMatch(/^S44 .* \[P-ANS-1, P-KIM-7\]$/m);
  expect(stdout).toMatch(/^S77 no check, not visible: /m);
  expect(status).toBe(0);
});

test("an interrupt ends the server that is checked too, and exits 1 with the report", async () => {
  const door = createServer();
  onTestFinished(() => void door.close());
  await new Promise<void>((resolve) => door.listen(0, "127.0.0.1", resolve));
  const { port } = door.address() as AddressInfo;
  const program = `require("node:net").connect(${port}, "127.0.0.1"); process.stdin.resume()`;
  const run = start(["server", "--only", "S01", "--", process.execPath, "-e", program, "--"]);
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

describe("at a terminal", () => {
  const broken = ["--", process.execPath, brokenServer, "--fault", "two-ids"];

  test.each([
    ["in colour", {}, true],
    ["without colour under NO_COLOR", { NO_COLOR: "1" }, false],
  ])("progress is shown, then only the report is left, %s", async (_how, env, coloured) => {
    const args = ["conformance", "server", "--only", "S01,S28", ...broken];
    const terminal = openAskwire(args, { env, columns: 200 });
    expect((await terminal.ended).exitCode).toBe(1);
    expect(terminal.sent).toContain("2 of 2 checks, 1 red");
    expect(terminal.screen()).not.toContain("of 2 checks");
    expect(terminal.screen()).toMatch(/1 passed, 1 failed, 0 skipped/);
    expect(terminal.sent.includes("\u001b[31mFAIL")).toBe(coloured);
  });
});

test.each([
  [["server"], /^askwire: conformance server: name the command to check after --/],
  [["server", "--", "/no/such/server"], /^askwire: \/no\/such\/server: no such command; check the path\n$/],
  [
    ["server", "--only", "S99", "--", "true"],
    /^askwire: --only S99: there is no check S99; --list shows all\n$/,
  ],
  [["proxy", "--", "true"], /^askwire: conformance proxy: expected one of server, client/],
  [["server", "--timeout", "soon", "--", "true"], /--timeout/],
])("%j is wrong use: exit 2 with the next step", async (args, message) => {
  const { stdout, stderr, status } = await conformance(args);
  expect(stderr).toMatch(message);
  expect({ stdout, status }).toEqual({ stdout: "", status: 2 });
});
