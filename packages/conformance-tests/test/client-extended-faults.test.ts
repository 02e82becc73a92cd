import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { clientSuite } from "../src/client/client-suite.js";
import { isGreen, textReport } from "../src/report/report.js";
import { extendedClients, silentExtendedClients } from "./clients/broken-clients.js";
import { wantRed } from "./clients/want-red.js";
import { sampleOf } from "./python-mutants.js";

const brokenClient = fileURLToPath(new URL("clients/broken-extended-client.mjs", import.meta.url));
const command = (fault: string) => [process.execPath, brokenClient, fault, "{url}"];

/** Checks whose broken clients are in acts.test.ts. */
const needActs = ["CX33", "CX34"];
/** Checks whose broken clients are mutants of the client in Python, and which this one keeps in part. */
const needPython = ["CX35", "CX36", "CX37", "CX38", "CX39", "CX40", "CX41", "CX42"];
const only = new Set(
  clientSuite.checks
    .map(({ id }) => id)
    .filter((id) => id.startsWith("CX") || ["C41", "C42", "C46"].includes(id))
    .filter((id) => ![...needActs, ...needPython].includes(id)),
);

test.concurrent("an extended client that breaks no promise is green in every check of the profile", async () => {
  const report = await clientSuite.run({
    command: command("none"),
    only: new Set(sampleOf(3, [...only])),
    concurrency: 3,
    timeoutMs: 60_000,
  });
  expect(isGreen(report), textReport(report)).toBe(true);
  expect(report.results.filter(({ status }) => status !== "passed")).toEqual([]);
});

test.concurrent("a check that a client does not support is skipped, with a sentence that says so", async () => {
  const baseClient = fileURLToPath(new URL("clients/broken-client.mjs", import.meta.url));
  const base = await clientSuite.run({
    command: [process.execPath, baseClient, "none"],
    only,
    timeoutMs: 60_000,
  });
  expect(new Set(base.results.map(({ status, reason }) => `${status}: ${reason}`))).toEqual(
    new Set([
      "skipped: its initialize has no askwire, so it keeps to the base profile",
      "skipped: no argument of the command is {url}, so it takes no address",
      "skipped: its initialize does not offer the tool CountAndSay",
    ]),
  );
  const { results } = await clientSuite.run({
    command: command("shows nothing and has no tool"),
    timeoutMs: 60_000,
    only: new Set(["CX06", "CX10", "CX14", "CX31"]),
  });
  expect(results.map(({ status, reason }) => [status, reason])).toEqual([
    ["passed", undefined],
    ["skipped", "it does not declare skip, so its person leaves no question out"],
    ["skipped", "its initialize does not offer the tool CountAndSay"],
    ["skipped", "its initialize does not offer the tool CountAndSay"],
  ]);
});

describe.concurrent("an extended client that breaks a promise", () => {
  test.each(sampleOf(3, silentExtendedClients))(
    "an extended client that %s is seen by %s, when time is up",
    (fault, id, ...reasons) => wantRed(command(fault), id, reasons, 10_000),
  );
  test.each(sampleOf(3, extendedClients))("an extended client that %s is seen by %s", (fault, id, expected) =>
    wantRed(command(fault), id, [expected], 60_000),
  );

  test("every check of the profile sees a broken extended client", () => {
    const seen = new Set([...silentExtendedClients, ...extendedClients].map(([, id]) => id));
    expect([...only].filter((id) => !seen.has(id))).toEqual([]);
  });
});
