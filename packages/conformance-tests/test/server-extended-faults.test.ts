import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { gatewaySuite } from "../src/server/gateway/gateway-suite.js";
import { serverSuite } from "../src/server/server-suite.js";
import { extendedServers } from "./servers/broken-servers.js";
import { bundleExtendedServer } from "./servers/bundle.js";
import { pace } from "./this-machine.js";

let folder: string;
let program: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "extended-server-"));
  program = await bundleExtendedServer(folder);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Checks our server, whole or with a fault, and gives the ids that are green and those that are not. */
async function check(ids: readonly string[], fault?: string) {
  const gateway = ids.every((id) => gatewaySuite.checks.some((check) => check.id === id));
  const broken = fault === undefined ? [] : ["--fault", fault];
  const { results } = await (gateway ? gatewaySuite : serverSuite).run({
    command: [process.execPath, program, ...broken, ...(gateway ? ["--listen"] : [])],
    only: new Set(ids),
    timeoutMs: 60_000,
    probes: false,
    retries: 0,
    pace,
  });
  const green = results.filter(({ status }) => status === "passed").map(({ id }) => id);
  return { green, others: results.filter(({ status }) => status !== "passed") };
}

/** It waits for 15 s where nothing is broken; the whole suite does that. */
const slow = "X37";

/** The checks of the extended profile and of gateways. */
function idsOf(subject: string): string[] {
  const { checks } = subject === "gateway" ? gatewaySuite : serverSuite;
  return checks.map(({ id }) => id).filter((id) => /^[GX]/.test(id));
}

describe.concurrent("a server of the extended profile with one fault is found out", () => {
  test.each(["server", "gateway"])("without a fault each check of a %s is green", async (subject) => {
    const ids = idsOf(subject).filter((id) => id !== slow);
    const { green, others } = await check(ids);
    expect(others).toEqual([]);
    expect(green).toEqual(ids);
  });

  test.each([
    ["server", ["X02"]],
    ["gateway", ["G01", "G02", "G03", "G04", "G05", "G06", "G07", "G08", "G09", "G10", "G11", "G12"]],
  ])("where a %s has only the base profile, the others are skipped and say why", async (subject, run) => {
    const { green, others } = await check(idsOf(subject), "base-only");
    expect(green).toEqual(run);
    const why = "its result of initialize has no askwire, so it keeps to the base profile";
    expect(new Set(others.map(({ status, reason }) => `${status}: ${reason}`))).toEqual(
      new Set([`skipped: ${why}`]),
    );
  });

  test.each(extendedServers)(
    "%s turns %s red, and the failure says what was expected",
    async (fault, id, expected) => {
      const { green, others } = await check([id], fault);
      expect(green).toEqual([]);
      expect(others.map((result) => [result.id, result.status])).toEqual([[id, "failed"]]);
      expect(others[0]?.failure?.expected).toMatch(expected);
    },
  );
});
