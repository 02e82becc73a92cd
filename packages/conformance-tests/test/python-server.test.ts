import { describe, expect, test } from "vitest";
import { gatewaySuite } from "../src/server/gateway/gateway-suite.js";
import { serverSuite } from "../src/server/server-suite.js";
import {
  check,
  commandOf,
  hasPython,
  isWhole,
  missed,
  mutantsFolder,
  programOf,
  readMutants,
  SAMPLE,
  wantDescribed,
} from "./python-mutants.js";

const suites = { server: serverSuite, gateway: gatewaySuite } as const;

const folder = mutantsFolder();

describe.each(["server", "gateway"] as const)(
  "the %s in Python, written from the docs alone",
  async (kind) => {
    const mutants = await readMutants(kind);
    const sample = mutants.filter(({ caught }) => caught !== undefined).filter((_, n) => n % SAMPLE === 0);
    const all = suites[kind].checks.map(({ id }) => id);
    const timeout = isWhole ? 1_800_000 : 240_000;

    test("the program in Python has mutants whose patch fits, each with the check that catches it or the reason why none can", async () => {
      await wantDescribed(kind, mutants, all, folder());
    });

    test.skipIf(!hasPython)(
      "the program in Python is green in the checks that catch its mutants (needs python3)",
      { timeout },
      async () => {
        const ids = isWhole ? all : [...new Set(sample.map(({ caught = "" }) => caught))];
        const { green, red, skipped } = await check(
          suites[kind],
          commandOf(kind, programOf(kind)),
          ids,
          60_000,
          isWhole ? undefined : 1,
        );
        expect(red).toEqual([]);
        // The program claims all features but signs of life and turns that outlive the process.
        for (const line of skipped)
          expect(line).toMatch(/^X4\d: its session does not say resumes|it does not declare alive/);
        expect(green.length + skipped.length).toBe(ids.length);
      },
    );

    test.skipIf(!hasPython)(
      "the program in Python is found out in each mutant (needs python3)",
      { timeout },
      async () => {
        expect(await missed(suites[kind], kind, sample, folder())).toEqual([]);
      },
    );
  },
);
