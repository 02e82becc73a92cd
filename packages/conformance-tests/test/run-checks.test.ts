import { type AddressInfo, createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { CheckContext } from "../src/contract/check.js";
import { CheckFailure } from "../src/contract/check.js";
import type { PlacedCheck } from "../src/contract/levels.js";
import { isGreen, jsonReport, painter, type Report, textReport } from "../src/report/report.js";
import { runChecks } from "../src/run/run-checks.js";
import { serverSuite } from "../src/server/server-suite.js";

const program = fileURLToPath(new URL("servers/base-server.mjs", import.meta.url));
const broken = [process.execPath, program, "--fault", "blank-counts"];
const silent = [process.execPath, "-e", "process.stdin.resume()", "--"];

const run = (command: readonly string[], id: string, options: object = {}) =>
  serverSuite.run({ command, only: new Set([id]), timeoutMs: 60_000, probes: false, retries: 0, ...options });

const first = ({ results }: Report) => {
  const [result] = results;
  if (result?.failure === undefined) throw new Error("expected a failed check");
  return { ...result, failure: result.failure };
};

describe("a failed check", () => {
  test("a failure shows the expected and the received value, the broken rules, and the messages on the wire", async () => {
    const text = textReport(await run(broken, "S44"));
    expect(text).toMatch(/^FAIL S44 answers \{\}, or only blanks/m);
    expect(text).toMatch(/^ {2}expected {2}the result of the tool with .*User dismissed/m);
    expect(text).toMatch(/^ {2}received {2}.*"output":"\{\\"answers\\": \{\}\}"/m);
    expect(text).toContain("rules     docs/protocol.md#P-ANS-1, docs/protocol.md#P-KIM-7\n");
    expect(text).toMatch(/^ {4}-> \{"jsonrpc":"2\.0","id":"c-2","method":"prompt"/m);
    expect(text).toMatch(/^ {4}<- .*QuestionRequest/m);
    expect(text).toMatch(/: 0 passed, 1 failed, 0 skipped \(/);
  });

  test("a failure is written as JSON too, with the whole transcript", async () => {
    const report = await run(broken, "S44");
    const { passed, counts, results, command } = JSON.parse(jsonReport(report));
    expect({ passed, counts, command }).toEqual({
      passed: false,
      counts: { passed: 0, failed: 1, skipped: 0, warned: 0, known: 0, stale: 0, fault: 0 },
      command: broken,
    });
    expect(results[0]).toMatchObject({ id: "S44", status: "failed", rules: ["P-ANS-1", "P-KIM-7"] });
    expect(results[0].failure.transcript).toEqual(first(report).failure.transcript);
    expect(results[0].failure.transcript.length).toBeGreaterThan(5);
  });

  test("a failure names the awaited message, when the server never says anything", async () => {
    const { failure } = first(await run(silent, "S01", { timeoutMs: 500 }));
    // A slow machine gives it more than the half second.
    expect(failure.expected).toMatch(/^the response to the request with id "c-1", within \d+(\.\d)? s$/);
    expect(failure.received).toBe("nothing of the kind");
  });

  test("a failure names the end of the process, and its last words, when it ends too early", async () => {
    const command = [process.execPath, "-e", "console.error('no licence'); process.exit(3)", "--"];
    const { failure } = first(await run(command, "S01"));
    expect(failure.received).toBe("the end of the process (exit status 3)");
    expect(failure.transcript).toContainEqual({ kind: "stderr", text: "no licence" });
  });

  test("a failure says that the command could not be started", async () => {
    const { failure } = first(await run(["/no/such/server"], "S01"));
    expect(failure.received).toContain("could not be started");
  });

  test("a failure makes visible what a server wrote, so that it cannot move the cursor", () => {
    const failure = {
      expected: "a",
      received: "\u001b[2J",
      transcript: [{ kind: "received", text: "\u202eb" }] as const,
    };
    const place = { profile: "wire-1.10", level: "core", weight: "MUST" } as const;
    const result = {
      ...place,
      id: "S01",
      title: "t",
      rules: [],
      status: "failed",
      durationMs: 1,
      failure,
    } as const;
    const text = textReport({ subject: "server", command: ["x"], results: [result], durationMs: 1 });
    expect(text).toContain("received  \\u001b[2J");
    expect(text).toContain("<- \\u202eb");
  });

  test("a failure has colour only where it is asked for", async () => {
    const report = await run(broken, "S44");
    expect(textReport(report)).not.toContain("\u001b");
    expect(textReport(report, { colour: true })).toContain(painter(true)("red", "FAIL"));
  });
});

describe("a run", () => {
  const context: CheckContext = { pace: 1, transcript: [], awaiting: undefined, close: async () => {} };
  const options = {
    subject: "server",
    command: ["x"],
    exceptions: [],
    retries: 10,
    traces: false,
    open: async () => context,
  } as const;

  test("a run keeps to its bound, and reports in the order of the checks, whichever ends first", async () => {
    let running = 0;
    let most = 0;
    const waiting: (() => void)[] = [];
    const checks = ["S01", "S02", "S03", "S04"].map(
      (id): PlacedCheck => ({
        profile: "wire-1.10",
        level: "core",
        weight: "MUST",
        id,
        title: id,
        rules: [],
        async run() {
          running += 1;
          most = Math.max(most, running);
          await new Promise<void>((resolve) => {
            waiting.push(resolve);
            // The later of two that run together ends first.
            if (waiting.length === 2) for (const end of waiting.splice(0).reverse()) end();
          });
          running -= 1;
          if (id === "S02") throw new CheckFailure("b", "a");
        },
      }),
    );
    const seen: string[] = [];
    const report = await runChecks({
      ...options,
      checks,
      concurrency: 2,
      deadlineMs: 5_000,
      onResult: ({ id }) => seen.push(id),
    });
    expect(most).toBe(2);
    expect(report.results.map(({ id, status }) => [id, status])).toEqual([
      ["S01", "passed"],
      ["S02", "failed"],
      ["S03", "passed"],
      ["S04", "passed"],
    ]);
    expect([...seen].sort()).toEqual(["S01", "S02", "S03", "S04"]);
    expect(isGreen(report)).toBe(false);
  });

  test("a run that is interrupted ends its processes, and its checks are red", async () => {
    const stop = new AbortController();
    const door = createServer();
    await new Promise<void>((resolve) => door.listen(0, "127.0.0.1", resolve));
    const { port } = door.address() as AddressInfo;
    const program = `require("node:net").connect(${port}, "127.0.0.1"); process.stdin.resume()`;
    const ended = new Promise<void>((resolve) => {
      door.once("connection", (socket) => {
        socket.on("error", () => {}).on("close", () => resolve());
        socket.resume();
        stop.abort();
      });
    });
    const command = [process.execPath, "-e", program, "--"];
    const { failure } = first(await run(command, "S01", { signal: stop.signal, timeoutMs: 60_000 }));
    expect(failure.received).toBe("an interruption of the suite");
    await ended;
    door.close();
  });

  test("a run that is interrupted before it begins is red at once", async () => {
    const { failure } = first(await run(silent, "S01", { signal: AbortSignal.abort() }));
    expect(failure).toMatchObject({ received: "an interruption of the suite", transcript: [] });
  });
});
