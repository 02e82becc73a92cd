import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isGreen, textReport } from "../src/report/report.js";
import { serverSuite } from "../src/server/server-suite.js";
import { sampleOf } from "./python-mutants.js";
import { bundleExtendedServer } from "./servers/bundle.js";

let folder: string;
let program: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "extended-server-"));
  program = await bundleExtendedServer(folder);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** The checks of the envelope, of the engine below and of the limits. */
const checks = serverSuite.checks.filter(({ rules }) => rules.some((rule) => /^P-(ENV|ENG|LIM)-/.test(rule)));

/** The checks that nobody above a connection of the library can pass, by the sentence that does not hold there. */
const skippedOverConnection: Readonly<Record<string, readonly string[]>> = {
  "P-ENV-1": ["S11", "S12", "S76", "E01"],
  "P-ENV-2": ["S13", "E02"],
  "P-ENV-3": ["S15", "E03"],
  "P-ENV-4": ["S14", "E05", "E19"],
  "P-ENV-5": ["E08"],
  "P-ENV-7": ["E12"],
  "P-ENV-8": ["S20", "E13"],
  "P-ENV-9": ["S49"],
  "P-ENG-1": ["E17"],
  "P-LIM-2": ["F03"],
  "P-LIM-3": ["E18"],
};

/** Runs every fourth of these checks, but for those that are skipped, with our server over the library on lines. */
async function run(over: "reader" | "connection", skipped: readonly string[] = []) {
  const ids = checks.map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining([...skipped]));
  return serverSuite.run({
    command: [process.execPath, program, "--over", over],
    only: new Set(sampleOf(4, ids).filter((id) => !skipped.includes(id))),
    timeoutMs: 60_000,
  });
}

test("over a reader and a writer of vscode-jsonrpc every check of envelope, engine and limits holds (P-VSJ-1)", async () => {
  const report = await run("reader");
  expect(isGreen(report), textReport(report)).toBe(true);
});

test("over a connection of vscode-jsonrpc the checks hold that are not skipped by name (P-VSJ-3)", async () => {
  const report = await run("connection", Object.values(skippedOverConnection).flat());
  expect(isGreen(report), textReport(report)).toBe(true);
});

test("the sentences whose checks are skipped over a connection are in the table of docs/protocol.md", () => {
  const page = readFileSync(new URL("../../../docs/protocol.md", import.meta.url), "utf8");
  const [, table = ""] = /\*\*P-VSJ-3\*\*.*\n\n((?:\|.*\n)+)/.exec(page) ?? [];
  const listed = [...table.matchAll(/^\| ([^|]+) \|/gm)].flatMap(
    ([, ids = ""]) => ids.match(/P-[A-Z]+-\d+/g) ?? [],
  );
  expect(listed).toEqual(expect.arrayContaining(Object.keys(skippedOverConnection)));
});
