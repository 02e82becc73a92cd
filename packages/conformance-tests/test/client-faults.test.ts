import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { clientSuite } from "../src/client/client-suite.js";
import { isGreen, textReport } from "../src/report/report.js";
import { baseClients, silentBaseClients } from "./clients/broken-clients.js";
import { sampleOf } from "./python-mutants.js";
import { pace } from "./this-machine.js";

const brokenClient = fileURLToPath(new URL("clients/broken-client.mjs", import.meta.url));
const command = (fault: string) => [process.execPath, brokenClient, fault];

test("a client that breaks no promise is green in every check that a broken one fails", async () => {
  const only = new Set(sampleOf(3, [...silentBaseClients, ...baseClients]).map(([, id]) => id));
  const report = await clientSuite.run({ command: command("none"), only, concurrency: 3, timeoutMs: 60_000 });
  expect(isGreen(report), textReport(report)).toBe(true);
  expect(report.results).toHaveLength(only.size);
});

/** The checks of every level that asks no questions. */
const claimed = clientSuite.checks
  .filter(({ profile, level }) => profile === "wire-1.10" && (level === "core" || level === "approvals"))
  .map(({ id }) => id);

test("a client that knows no questions is green in every other level", async () => {
  const report = await clientSuite.run({
    command: command("knows no questions"),
    only: new Set(sampleOf(3, claimed)),
    concurrency: 3,
    timeoutMs: 60_000,
  });
  expect(isGreen(report), textReport(report)).toBe(true);
  expect(report.results.filter(({ status }) => status === "passed").length).toBeGreaterThan(7);
});

/** Runs one check against one broken client, and wants it to be red for this reason. */
async function wantRed(fault: string, id: string, expected: string, timeoutMs: number): Promise<void> {
  const { results } = await clientSuite.run({
    command: command(fault),
    only: new Set([id]),
    timeoutMs,
    probes: false,
    retries: 0,
    pace,
  });
  expect(results.map((result) => [result.id, result.status])).toEqual([[id, "failed"]]);
  expect(results[0]?.failure?.expected).toContain(expected);
  // Without an agent there is no wire.
  if (id !== "C57") expect(results[0]?.failure?.transcript).not.toEqual([]);
}

describe.concurrent("a client that breaks a promise", () => {
  test.each(sampleOf(3, silentBaseClients))(
    "a client that %s is seen by %s, when time is up",
    (fault, id, expected) => wantRed(fault, id, expected, 10_000),
  );
  test.each(sampleOf(3, baseClients))("a client that %s is seen by %s", (fault, id, expected) =>
    wantRed(fault, id, expected, 60_000),
  );
});
