import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { clientSuite } from "../src/client/client-suite.js";
import { gatewaySuite } from "../src/server/gateway/gateway-suite.js";
import { serverSuite } from "../src/server/server-suite.js";
import { brokenActors } from "./clients/broken-actors.js";
import {
  baseClients,
  extendedClients,
  silentBaseClients,
  silentExtendedClients,
} from "./clients/broken-clients.js";
import { hasPython, isWhole, rewritten, SAMPLE, sampleOf } from "./python-mutants.js";
import { baseServers, extendedServers } from "./servers/broken-servers.js";

/** A fault of the messages of the program in Python, as python/rewritten.py describes it. */
interface Rewrite {
  readonly name: string;
  readonly fault: object;
  /** The checks that find it. */
  readonly caught: readonly string[];
  /** Checks that pass, since the fault does not concern them. */
  readonly passed?: readonly string[];
  /** True if nothing comes, so that the checks wait for the end of their time. */
  readonly silent?: boolean;
  /** True if the fault only tells mutants of the checks apart, so that it is left to `ASKWIRE_MUTANTS=all`. */
  readonly fine?: boolean;
}

const suites = { server: serverSuite, gateway: gatewaySuite, client: clientSuite } as const;
type Kind = keyof typeof suites;

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`python/${name}.json`, import.meta.url), "utf8"));
const rewrites = {
  server: rewritesOf("server"),
  gateway: rewritesOf("gateway"),
  client: rewritesOf("client"),
} as const;

function rewritesOf(kind: Kind): readonly Rewrite[] {
  return (read(`${kind}-rewrites`) as Rewrite[]).filter(({ fine = false }) => isWhole || !fine);
}

/** Checks that no broken peer of these lists can fail, and why. */
const unbroken: Readonly<Record<string, string>> = {};

/** Runs checks against the program in Python with a fault. */
async function check(kind: Kind, fault: object, ids: readonly string[], timeoutMs: number) {
  const { results } = await suites[kind].run({
    command: rewritten(kind, fault),
    only: new Set(ids),
    timeoutMs,
    probes: false,
    retries: 0,
    pace: 1,
  });
  return results.filter(({ status }) => status === "failed").map(({ id }) => id);
}

describe("checks and broken peers", () => {
  test.each(Object.keys(suites) as Kind[])("the lists have one for every MUST of a %s", (kind) => {
    const mutants: { caught?: string }[] = read(`${kind}-mutants`);
    const known = [
      ...mutants.map(({ caught }) => caught),
      ...Object.values(rewrites).flatMap((rows) => rows.flatMap(({ caught }) => caught)),
      ...[baseServers, extendedServers].flatMap((rows) => rows.map(([, id]) => id)),
      ...[baseClients, silentBaseClients, extendedClients, silentExtendedClients].flatMap((rows) =>
        rows.map(([, id]) => id),
      ),
      ...brokenActors.map(([, id]) => id),
    ];
    const musts = suites[kind].checks.filter(({ weight }) => weight === "MUST").map(({ id }) => id);
    expect(musts.filter((id) => !known.includes(id) && unbroken[id] === undefined)).toEqual([]);
    expect(musts.filter((id) => known.includes(id) && unbroken[id] !== undefined)).toEqual([]);
  });

  describe.each(["server", "gateway", "client"] as const)(
    "a %s in Python with one fault in its messages",
    (kind) => {
      test.skipIf(!hasPython)(
        "a correct program in Python is green (needs python3)",
        { timeout: 120_000 },
        async () => {
          const some = rewrites[kind].filter((_, n) => n % SAMPLE === 0);
          const ids = some.flatMap(({ caught }) => caught);
          expect(await check(kind, {}, ids, 60_000)).toEqual([]);
        },
      );

      test.skipIf(!hasPython).concurrent.each(sampleOf(4, rewrites[kind]))(
        "$name: seen by $caught (needs python3)",
        { timeout: 120_000 },
        async ({ fault, caught, passed = [], silent = false }) => {
          const red = await check(kind, fault, [...caught, ...passed], silent ? 8_000 : 60_000);
          expect(red.toSorted()).toEqual(caught.toSorted());
        },
      );
    },
  );
});
