import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { clientSuite } from "../src/client/client-suite.js";
import { isGreen, textReport } from "../src/report/report.js";
import { baseClients, silentBaseClients } from "./clients/broken-clients.js";
import { wantRed } from "./clients/want-red.js";
import { sampleOf } from "./python-mutants.js";

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

describe.concurrent("a client that breaks a promise", () => {
  test.each(sampleOf(3, silentBaseClients))(
    "a client that %s is seen by %s, when time is up",
    (fault, id, expected) => wantRed(command(fault), id, [expected], 10_000),
  );
  test.each(sampleOf(3, baseClients))("a client that %s is seen by %s", (fault, id, expected) =>
    wantRed(command(fault), id, [expected], 60_000),
  );
});
