import { describe, expect, test } from "vitest";
import { clientSuite } from "../src/client/client-suite.js";
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

/** Checks that wait long by their nature, or send 20 MB, are no part of it. */
const long = ["C13", "C65", "C73", "CX23", "CX26", "CX27", "CX28", "CX31", "CX36", "CX37", "CX41"];
const timeout = isWhole ? 900_000 : 60_000;

const folder = mutantsFolder();

describe("the client in Python, written from the docs alone", async () => {
  const mutants = await readMutants("client");
  const { checks } = clientSuite;
  const ids = checks.map(({ id }) => id);
  const soon = ids.filter((id) => isWhole || !long.includes(id));
  const sample = mutants
    .filter(({ caught = "" }) => soon.includes(caught))
    .filter((_, n) => n % SAMPLE === 0);

  test("the client in Python has mutants whose patch fits, each with the check that catches it or the reason why none can", async () => {
    await wantDescribed("client", mutants, ids, folder());
  });

  test.skipIf(!hasPython)(
    "the client in Python breaks no promise that it makes (needs python3)",
    { timeout },
    async () => {
      const wanted = isWhole ? soon : [...new Set(sample.map(({ caught = "" }) => caught))];
      const { green, red } = await check(
        clientSuite,
        commandOf("client", programOf("client")),
        wanted,
        60_000,
      );
      expect(red).toEqual([]);
      // Its person has no acts, and it does not show approvals with options.
      const beyond = ["C31", "C49", "C52", "C53", "CX39", "CX33", "CX34", "CX43"];
      expect(wanted.filter((id) => !green.includes(id))).toEqual(beyond.filter((id) => wanted.includes(id)));
    },
  );

  test.skipIf(!hasPython)(
    "the client in Python is found out in each mutant (needs python3)",
    { timeout },
    async () => {
      expect(await missed(clientSuite, "client", sample, folder())).toEqual([]);
    },
  );
});
