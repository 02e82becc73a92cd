import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientSuite } from "../src/client/client-suite.js";
import {
  check,
  commandOf,
  hasPython,
  isWhole,
  missed,
  programOf,
  readMutants,
  writeMutant,
} from "./python-mutants.js";

/** Of the mutants, one of so many is run. */
const SAMPLE = isWhole ? 1 : 9;
/** Checks that wait long by their nature, or send 20 MB, are no part of it. */
const long = ["C13", "C65", "C73", "CX23", "CX26", "CX27", "CX28", "CX31", "CX36", "CX37"];
const timeout = isWhole ? 900_000 : 60_000;

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "askwire-mutants-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("the client in Python, written from the docs alone", async () => {
  const mutants = await readMutants("client");
  const { checks } = clientSuite;
  const soon = checks.map(({ id }) => id).filter((id) => isWhole || !long.includes(id));
  const sample = mutants
    .filter(({ caught = "" }) => soon.includes(caught))
    .filter((_, n) => n % SAMPLE === 0);

  test("has mutants whose patch fits, each with the check that catches it or the reason why none can", async () => {
    const ids = checks.map(({ id }) => id);
    for (const mutant of mutants) {
      expect(await writeMutant("client", mutant, folder), mutant.name).toMatch(/\.py$/);
      const { name, caught, survives, rule } = mutant;
      expect([caught, survives].filter(Boolean), name).toHaveLength(1);
      if (caught !== undefined) expect(ids, name).toContain(caught);
      expect(rule, name).not.toBe("");
    }
  });

  test.skipIf(!hasPython)("breaks no promise that it makes (needs python3)", { timeout }, async () => {
    const { green, red } = await check(clientSuite, commandOf("client", programOf("client")), soon, 60_000);
    expect(red).toEqual([]);
    const left = soon.filter((id) => !green.includes(id));
    // Its person has no acts, and it does not show approvals with options.
    expect(left).toEqual(["C31", "C49", "C52", "C53", "CX39", "CX33", "CX34"]);
  });

  test.skipIf(!hasPython)("is found out in each mutant (needs python3)", { timeout }, async () => {
    expect(await missed(clientSuite, "client", sample, folder)).toEqual([]);
  });
});
