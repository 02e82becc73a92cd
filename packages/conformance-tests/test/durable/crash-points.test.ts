import { describe, expect, test } from "vitest";
import { answers, atOnce, oneByOne } from "./agent.js";
import { casts, type Held, hold, journalOn } from "./conversation.js";
import {
  acknowledgedCounts,
  everyLineIsARecord,
  noneInvented,
  ranAtMostOnce,
  settledAtMostOnce,
  toldTheSame,
} from "./invariants.js";
import { recordsOf } from "./journal-records.js";
import { all, every, everyCrash, MANY, SOME } from "./process.js";

/** The invariants that hold of each journal that a crash may leave, whoever reads it next. */
function breaches({ lines, world, early, remains }: Held): string[] {
  return remains.flatMap((disk, n) => {
    const journal = journalOn(disk);
    const records = recordsOf(journal);
    // A line that a crash cut is no record, and nobody was told of it.
    const whole = n === 0 ? everyLineIsARecord(journal) : [];
    return [
      ...early,
      ...whole,
      ...settledAtMostOnce(records),
      ...acknowledgedCounts(records, lines),
      ...toldTheSame(records, lines),
      ...ranAtMostOnce(records, world.effects),
      ...noneInvented(records, answers),
    ].map((breach) => `${n === 0 ? "killed" : `power cut ${n}`}: ${breach}`);
  });
}

describe("a crash before or after any act (P-DUR-1 to P-DUR-9)", () => {
  const cases = casts.flatMap((cast) => [
    [cast, "one by one", oneByOne, MANY] as const,
    [cast, "all in one step", atOnce, SOME] as const,
  ]);
  test.each(cases)(
    "a crash before or after any act leaves a journal that knows all that was said and done: %s, %s",
    async (cast, _name, steps, stride) => {
      const undisturbed = await hold({ cast, steps });
      expect(undisturbed.early).toEqual([]);
      const acts = undisturbed.acts[0] ?? [];
      const found: string[] = [];
      for (const crash of every(stride, everyCrash(acts.length))) {
        const held = await hold({ cast, steps, crashes: [crash], once: true });
        expect(held.remains).not.toHaveLength(0);
        found.push(
          ...breaches(held).map((breach) => `${crash.when} ${crash.n}, ${acts[crash.n - 1]}: ${breach}`),
        );
      }
      expect(found).toEqual([]);
    },
  );
});

/** The end of a turn, and the answer of a base client, count also where they cannot be kept (P-DUR-6). */
const countsAllTheSame = /^(?:TurnEnd was told|a prompt was answered|a settlement was told)/;

/** Every how manieth call of the disk fails. */
const SOME_CALLS = all ? 1 : 3;

describe("a disk that fails for a moment (P-DUR-6)", () => {
  const faults = [
    { code: "ENOSPC" },
    { code: "ENOSPC", written: 1 },
    { code: "ENOSPC", written: 0.5 },
    { code: "EIO" },
    { code: "EIO", times: 1_000 },
    { code: "EROFS", times: 2 },
  ] as const;
  test.each(faults)(
    "a disk that fails for a moment loses nothing that was acknowledged: %o",
    async (fault) => {
      const undisturbed = await hold({ cast: "both" });
      const calls = (undisturbed.acts[0] ?? []).filter((name) => /^(?:write|sync.* ends)/.test(name)).length;
      const found: string[] = [];
      // The first call writes the lock, without which there is no session.
      for (let n = 2; n <= calls; n += SOME_CALLS) {
        const held = await hold({ cast: "both", fault: { ...fault, n } });
        const records = recordsOf(held.journal);
        const seen = [
          ...held.early.filter((breach) => !countsAllTheSame.test(breach)),
          ...everyLineIsARecord(held.journal),
          ...settledAtMostOnce(records),
          ...acknowledgedCounts(records, held.lines),
          ...toldTheSame(records, held.lines),
          ...ranAtMostOnce(records, held.world.effects),
        ];
        found.push(...seen.map((breach) => `call ${n}: ${breach}`));
      }
      expect(found).toEqual([]);
    },
  );
});
