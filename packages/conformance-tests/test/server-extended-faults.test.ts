import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { gatewaySuite } from "../src/server/gateway/gateway-suite.js";
import { serverSuite } from "../src/server/server-suite.js";
import { isWhole, sampleOf } from "./python-mutants.js";
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

/** The checks that hold on every profile: of numbers that nobody asked for, and of doors. */
const onAnyProfile = ["X02", ...Array.from({ length: 12 }, (_, n) => `G${String(n + 1).padStart(2, "0")}`)];

/** It waits for 15 s where nothing is broken; the whole suite does that. */
const slow = "X37";

/**
 * Every twelfth check of the extended profile and of gateways, with `ASKWIRE_MUTANTS=all` each. The command, which is the
 * same server, keeps all of them in its own tests.
 */
function idsOf(subject: string): string[] {
  const { checks } = subject === "gateway" ? gatewaySuite : serverSuite;
  const ids = checks.map(({ id }) => id).filter((id) => /^[GX]/.test(id));
  return ids.filter((id, n) => isWhole || n % 12 === 0 || onAnyProfile.includes(id));
}

const timeout = isWhole ? 900_000 : 120_000;

describe.concurrent("a server of the extended profile with one fault", { timeout }, () => {
  test.each(["server", "gateway"])("a %s without a fault passes each check", async (subject) => {
    const ids = idsOf(subject).filter((id) => id !== slow);
    const { green, others } = await check(ids);
    expect(others).toEqual([]);
    expect(green).toEqual(ids);
  });

  test.each(["server", "gateway"])(
    "a %s that has only the base profile has the other checks skipped, which say why",
    async (subject) => {
      const ids = idsOf(subject);
      const { green, others } = await check(ids, "base-only");
      expect(green).toEqual(ids.filter((id) => onAnyProfile.includes(id)));
      const why = "its result of initialize has no askwire, so it keeps to the base profile";
      expect(new Set(others.map(({ status, reason }) => `${status}: ${reason}`))).toEqual(
        new Set([`skipped: ${why}`]),
      );
    },
  );

  test.each(sampleOf(3, extendedServers))(
    "%s turns %s red, and the failure says what was expected",
    async (fault, id, expected) => {
      const { green, others } = await check([id], fault);
      expect(green).toEqual([]);
      expect(others.map((result) => [result.id, result.status])).toEqual([[id, "failed"]]);
      expect(others[0]?.failure?.expected).toMatch(expected);
    },
  );
});
