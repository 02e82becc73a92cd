import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { type PlacedCheck, readClaims } from "../src/contract/levels.js";
import {
  type Check,
  CheckFailure,
  CheckSkipped,
  clientSuite,
  exitCodeOf,
  gatewaySuite,
  serverSuite,
  textReport,
} from "../src/index.js";
import { runChecks } from "../src/run/run-checks.js";

const node = (program: string) => [process.execPath, "-e", program, "--"];
const silent = "process.stdin.resume()";
/** Milliseconds: soon over for one that stays silent, and ample for one that ends at once beside a busy machine. */
const soon = 1_000;
const ample = 60_000;

describe("a silent program", () => {
  const nobody = { expected: expect.any(String), received: expect.any(String), advice: expect.any(String) };

  test.each([
    [
      "a server that is silent",
      serverSuite,
      silent,
      soon,
      /response to the request with id "c-1", within/,
      "nothing of the kind",
    ],
    [
      "a server that ends",
      serverSuite,
      "process.exit(3)",
      ample,
      /response to/,
      "the end of the process (exit status 3)",
    ],
    ["a gateway that is silent", gatewaySuite, silent, soon, /an address ws:/, "nothing of the kind"],
    [
      "a gateway that prints no address",
      gatewaySuite,
      "console.log('hello')",
      ample,
      /an address ws:/,
      "the end of the process (exit status 0)",
    ],
    [
      "a client that launches nothing",
      clientSuite,
      "setInterval(() => {}, 1000)",
      soon,
      /the command to launch the agent/,
      "nothing of the kind",
    ],
  ])(
    "a program that says nothing ends the run with one failure and a next step: %s",
    async (_name, suite, program, timeoutMs, expected, received) => {
      const heard: string[] = [];
      const report = await suite.run({
        command: node(program),
        timeoutMs,
        onResult: ({ id }) => heard.push(id),
      });
      expect(report.unreachable).toMatchObject({ ...nobody, received });
      expect(report.unreachable?.expected).toMatch(expected);
      expect({ results: report.results, heard }).toEqual({ results: [], heard: [] });
      expect(exitCodeOf(report)).toBe(1);
      const text = textReport(report);
      expect(text).toMatch(/^The command does not speak, so no check was run\.$/m);
      expect(text).toContain(`  try       ${report.unreachable?.advice}\n`);
    },
  );

  test("a server that says anything is checked", async () => {
    const program = "console.log('Listening on port 8080'); process.stdin.resume()";
    const report = await serverSuite.run({
      command: node(program),
      only: new Set(["S01"]),
      timeoutMs: 6_000,
    });
    expect(report.unreachable).toBeUndefined();
    expect(report.results).toMatchObject([{ id: "S01", status: "failed" }]);
  });
});

test.runIf(process.platform === "linux")(
  "a process with its own session is ended with the check that started it",
  async () => {
    const program = `
      const { pid } = require("node:child_process").spawn("sleep", ["3600"], { detached: true, stdio: "ignore" });
      process.stderr.write("left " + pid + "\\n");
      process.stdin.resume();`;
    const { unreachable } = await serverSuite.run({ command: node(program), timeoutMs: 6_000 });
    const said = unreachable?.transcript.map(({ text }) => /^left (\d+)$/.exec(text)?.[1]).find(Boolean);
    expect(said).toBeDefined();
    const state = () =>
      spawnSync("ps", ["-o", "stat=", "-p", String(said)], { encoding: "utf8" }).stdout.trim();
    // A killed process takes a moment to end, and one whose parent is gone may wait for its end to be read.
    await expect.poll(state).toMatch(/^(Z.*)?$/);
  },
);

describe("a verdict", () => {
  const check = (id: string, run: Check["run"], more: Partial<PlacedCheck> = {}): PlacedCheck => ({
    profile: "wire-1.10",
    level: "core",
    weight: "MUST",
    id,
    title: id,
    rules: ["P-INI-1"],
    run,
    ...more,
  });
  const context = {
    pace: 1,
    transcript: [{ kind: "sent", text: "hello" }],
    awaiting: "an answer",
    close: async () => {},
  } as const;
  const running = { count: 0 };
  const run = (checks: readonly PlacedCheck[], more: object = {}) =>
    runChecks({
      subject: "server",
      command: ["x"],
      checks,
      exceptions: [],
      concurrency: 2,
      deadlineMs: 50,
      retries: 10,
      pace: 1,
      traces: false,
      open: async () => context,
      ...more,
    });
  const never = () => new Promise<void>(() => {});

  test("a check over time is given once more, alone, and the second verdict counts", async () => {
    let tries = 0;
    const beside: number[] = [];
    const slowOnce = check("S01", async () => {
      tries += 1;
      if (tries === 1) return never();
      beside.push(running.count);
    });
    const other = check("S02", async () => {
      running.count += 1;
      await Promise.resolve();
      running.count -= 1;
    });
    const { results } = await run([slowOnce, other, other, other]);
    expect(results[0]).toMatchObject({ status: "passed", attempts: 2 });
    expect(results[1]?.attempts).toBeUndefined();
    expect({ tries, beside }).toEqual({ tries: 2, beside: [0] });
  });

  test("a check that stays over time is a failure, tried twice and no more", async () => {
    let tries = 0;
    const slow = check("S01", () => {
      tries += 1;
      return never();
    });
    const { results } = await run([slow]);
    expect(results[0]).toMatchObject({ status: "failed", attempts: 2 });
    expect(results[0]?.failure?.expected).toMatch(/^an answer, within /);
    expect(tries).toBe(2);
  });

  test("a check that fails by a measured time is given once more, any other failure is not", async () => {
    const tries = { timed: 0, plain: 0 };
    const fail = (which: keyof typeof tries) => async () => {
      tries[which] += 1;
      throw new CheckFailure("b", "a");
    };
    await run([check("S01", fail("timed"), { timed: true }), check("S02", fail("plain"))]);
    expect(tries).toEqual({ timed: 2, plain: 1 });
  });

  test("a check of a suite that cannot judge is a fault and accuses nobody: exit code 4", async () => {
    const report = await run([
      check("S01", async () => {
        throw new TypeError("x is not a function");
      }),
      check("S02", async () => {}),
    ]);
    expect(report.results.map(({ status }) => status)).toEqual(["fault", "passed"]);
    expect(exitCodeOf(report)).toBe(4);
    expect(textReport(report)).toMatch(
      /1 passed, 0 failed, 0 skipped, 1 not judged, by a fault of the suite/,
    );
    expect(textReport(report)).toContain("received  a fault of the suite: x is not a function");
  });

  test("a check of a context that cannot be opened is a fault, too", async () => {
    const open = async () => {
      throw new Error("no space left on device");
    };
    const { results } = await run([check("S01", async () => {})], { open });
    expect(results[0]).toMatchObject({
      status: "fault",
      failure: { received: "a fault of the suite: no space left on device" },
    });
  });

  test("a run where every check was skipped is no success: exit code 3", async () => {
    const report = await run([
      check("S01", async () => {
        throw new CheckSkipped("it offers no tool");
      }),
    ]);
    expect(exitCodeOf(report)).toBe(3);
    expect(textReport(report)).toContain("nothing was checked: every check was skipped");
  });

  test("a check that passed has its messages in the report, where they are asked for", async () => {
    const { results } = await run([check("S01", async () => {})], { traces: true });
    expect(results[0]?.trace).toEqual(context.transcript);
    expect((await run([check("S01", async () => {})])).results[0]?.trace).toBeUndefined();
  });

  test("a check of what is not claimed is left out, and a claimed check that cannot be tested is red", async () => {
    const read = readClaims(["core", "askwire/hooks"]);
    if (!("claims" in read)) throw new Error(`unknown: ${read.unknown}`);
    const claims = () => read.claims;
    const skip = (isChoice: boolean) => async () => {
      throw new CheckSkipped("it offers no tool", { isChoice });
    };
    const report = await run(
      [
        check("S01", async () => {}),
        check("S02", async () => {}, { level: "hooks" }),
        check("S03", async () => {}, { level: "hooks", profile: "askwire" }),
        check("S04", skip(false)),
        check("S05", skip(true)),
      ],
      { claims },
    );
    expect(report.results.map(({ status }) => status)).toEqual([
      "passed",
      "skipped",
      "passed",
      "failed",
      "skipped",
    ]);
    expect(report.results[1]?.reason).toBe("not claimed: hooks of wire-1.10");
    expect(report.results[3]?.failure).toMatchObject({
      expected: expect.stringContaining("a way to test core of wire-1.10, which counts as claimed"),
      received: "it offers no tool",
    });
    expect(textReport(report)).toMatch(/^wire-1\.10 core {7}1 passed, 1 failed, 1 skipped$/m);
    expect(textReport(report)).toMatch(/^wire-1\.10 hooks {6}not checked$/m);
    expect(readClaims(["core", "cores"])).toEqual({ unknown: ["cores"] });
  });

  test("a broken SHOULD is a warning that fails no run", async () => {
    const broken = async () => {
      throw new CheckFailure("b", "a");
    };
    const report = await run([check("S01", broken, { weight: "SHOULD" }), check("S02", async () => {})]);
    expect(exitCodeOf(report)).toBe(0);
    expect(textReport(report)).toMatch(/^WARN S01 S01\n {2}expected {2}b$/m);
    expect(textReport(report)).toMatch(/1 passed, 0 failed, 0 skipped, 1 warned/);
  });
});

test("a server of the base profile is asked for Kimi's promises alone, unless it claims more", async () => {
  const program = fileURLToPath(new URL("servers/base-server.mjs", import.meta.url));
  const { results } = await serverSuite.run({
    command: [process.execPath, program],
    timeoutMs: 2_000,
    retries: 0,
    concurrency: 8,
  });
  const left = results.filter(({ reason }) => reason?.startsWith("not claimed: "));
  expect(left.map(({ profile }) => profile)).toEqual(left.map(() => "askwire"));
  expect(left.map(({ id }) => id)).toEqual(expect.arrayContaining(["X01", "F01", "S73"]));
  expect(results.filter(({ profile, status }) => profile === "askwire" && status !== "skipped")).toEqual([]);
});
