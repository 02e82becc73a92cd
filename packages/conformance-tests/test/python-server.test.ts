import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { gatewaySuite } from "../src/server/gateway/gateway-suite.js";
import { serverSuite } from "../src/server/server-suite.js";

type Kind = "server" | "gateway";

/** A copy of a program with one fault, as `scripts/mutant-programs.mjs` describes it. */
interface Mutant {
  readonly name: string;
  readonly rule: string;
  readonly caught?: string;
  readonly survives?: string;
}

interface MutantPrograms {
  commandOf(kind: Kind, file: string): string[];
  programOf(kind: Kind): string;
  readMutants(kind: Kind): Promise<Mutant[]>;
  writeMutant(kind: Kind, mutant: Mutant, folder: string): Promise<string>;
}

const { href } = new URL("../../../scripts/mutant-programs.mjs", import.meta.url);
const { commandOf, programOf, readMutants, writeMutant }: MutantPrograms = await import(href);

const hasPython = spawnSync("python3", ["-c", ""]).status === 0;
/** With `ASKWIRE_MUTANTS=all` every mutant is run, and every check of the correct programs. */
const isWhole = process.env.ASKWIRE_MUTANTS === "all";
/** Otherwise each of so many mutants is run. */
const SAMPLE = isWhole ? 1 : 9;

const suites = { server: serverSuite, gateway: gatewaySuite } as const;

/** Runs some checks against a program. Returns the ids of green and red checks, and why the others were skipped. */
async function check(kind: Kind, file: string, ids: Iterable<string>, timeoutMs: number) {
  const { results } = await suites[kind].run({
    command: commandOf(kind, file),
    only: new Set(ids),
    timeoutMs,
    probes: false,
    retries: 0,
    ...(isWhole ? {} : { pace: 1 }),
  });
  const having = (status: string) => results.filter((one) => one.status === status).map(({ id }) => id);
  const skipped = results.flatMap(({ id, reason }) => (reason === undefined ? [] : [`${id}: ${reason}`]));
  return { green: having("passed"), red: having("failed"), skipped };
}

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "askwire-mutants-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe.each(["server", "gateway"] as const)(
  "the %s in Python, written from the docs alone",
  async (kind) => {
    const mutants = await readMutants(kind);
    const sample = mutants.filter(({ caught }) => caught !== undefined).filter((_, n) => n % SAMPLE === 0);
    const timeout = isWhole ? 1_800_000 : 240_000;

    test("has mutants whose patch fits, each with the check that catches it or the reason why none can", async () => {
      for (const mutant of mutants) {
        expect(await writeMutant(kind, mutant, folder), mutant.name).toMatch(/\.py$/);
        const { name, caught, survives, rule } = mutant;
        expect([caught, survives].filter(Boolean), name).toHaveLength(1);
        expect(rule, name).not.toBe("");
      }
    });

    test.skipIf(!hasPython)(
      "is green in the checks that catch its mutants (needs python3)",
      { timeout },
      async () => {
        const all = suites[kind].checks.map(({ id }) => id);
        const ids = isWhole ? all : [...new Set(sample.map(({ caught = "" }) => caught))];
        const { green, red, skipped } = await check(kind, programOf(kind), ids, 60_000);
        expect(red).toEqual([]);
        // It claims all but that its turns outlive the process.
        for (const line of skipped) expect(line).toMatch(/^X4\d: its session does not say resumes/);
        expect(green.length + skipped.length).toBe(ids.length);
      },
    );

    test.skipIf(!hasPython)("is found out in each mutant (needs python3)", { timeout }, async () => {
      const missed: string[] = [];
      const left = [...sample];
      const runNext = async (): Promise<void> => {
        const mutant = left.shift();
        if (mutant === undefined) return;
        const { name, caught = "" } = mutant;
        const { red } = await check(kind, await writeMutant(kind, mutant, folder), [caught], 8_000);
        if (red.length === 0) missed.push(name);
        await runNext();
      };
      await Promise.all([runNext(), runNext()]);
      expect(missed).toEqual([]);
    });
  },
);
