import { describe, expect, test } from "vitest";
import { answers, atOnce, oneByOne } from "./agent.js";
import { type Cast, type Circumstances, casts, type Held, hold } from "./conversation.js";
import {
  acknowledgedCounts,
  allSettled,
  askedOnce,
  everyLineIsARecord,
  isInDoubt,
  isOfWriting,
  knowsEveryAnswer,
  noneInvented,
  oneTurnEach,
  ranAtMostOnce,
  sameConversation,
  settledAtMostOnce,
  toldResultsAreKept,
  toldTheSame,
  validConversation,
} from "./invariants.js";
import { type JournalRecord, recordsOf } from "./journal-records.js";
import { type PowerCut, powerCuts } from "./memory-disk.js";
import { all, type Crash, every, everyCrash, MANY, SOME } from "./process.js";

/** Every how manieth crash of the first process is followed by every how manieth of the second. */
const TWICE = all ? [3, 5] : [41, 23];

/** A conversation: its clients, its script, and every how manieth crash is tried. */
const scenes = casts.flatMap((cast) => [
  [`${cast}, one by one`, { cast, steps: oneByOne, stride: MANY }] as const,
  [`${cast}, all in one step`, { cast, steps: atOnce, stride: SOME }] as const,
]);

/**
 * The records up to the end of the first turn: a person of the base profile who did not see that end says the same
 * words again, which begin another.
 */
function firstTurn(records: readonly JournalRecord[], cast: Cast): readonly JournalRecord[] {
  const end = records.findIndex(({ type }) => type === "TurnEnd");
  return cast === "base" && end >= 0 ? records.slice(0, end + 1) : records;
}

/** The records with the result of a call that is not in doubt in its place. */
const withoutDoubt = (records: readonly JournalRecord[], undisturbed: readonly JournalRecord[]) =>
  isInDoubt(records)
    ? records.map((record) => (isOfWriting(record) ? (undisturbed.find(isOfWriting) ?? record) : record))
    : records;

/** All that a conversation over crashes breaks. */
function breaches(
  held: Held,
  undisturbed: Held,
  { cast, crashes = [], powerCut, steps }: Circumstances,
): string[] {
  const { journal, lines, people, world, early, isDone } = held;
  const records = recordsOf(journal);
  const [person] = people;
  const last = world.model.at(-1) ?? [];
  const hasEnd = person?.sawEnd === true || JSON.stringify(person?.result) === '{"status":"finished"}';
  return [
    ...(isDone && hasEnd ? [] : [`the person has no end: ${JSON.stringify(person?.result)}`]),
    ...(world.effects.length === 1 || isInDoubt(records)
      ? []
      : [`the file was written ${world.effects.length} times`]),
    ...early,
    ...settledAtMostOnce(records),
    ...allSettled(records),
    ...acknowledgedCounts(records, lines),
    ...toldTheSame(records, lines),
    ...askedOnce(people, crashes.length),
    ...ranAtMostOnce(records, world.effects),
    ...toldResultsAreKept(records, lines),
    ...sameConversation(
      firstTurn(withoutDoubt(records, recordsOf(undisturbed.journal)), cast),
      firstTurn(recordsOf(undisturbed.journal), cast),
      steps !== atOnce,
    ),
    ...oneTurnEach(records),
    ...validConversation(last),
    ...knowsEveryAnswer(records, last),
    ...(powerCut === undefined && crashes.every(({ when }) => when !== "within")
      ? everyLineIsARecord(journal)
      : []),
    ...noneInvented(records, answers),
  ];
}

/** The acts of a conversation in its first process, without those of an orderly end. */
const actsOf = ({ acts }: Held) => (acts[0] ?? []).filter((name) => !/^(?:unlink lock|rmdir)$/.test(name));

/** The lengths at which a write is cut. */
const parts = [() => 1, (bytes: number) => Math.floor(bytes / 2), (bytes: number) => bytes - 1];

const crashesWithin = (acts: readonly string[]): Crash[] =>
  acts.flatMap((name, index) =>
    name.startsWith("write wire.jsonl")
      ? parts.map((part) => ({ n: index + 1, when: "within" as const, part }))
      : [],
  );

/** Holds a conversation for each of these crashes, and gives all that they break. */
async function tryEach(
  scene: Pick<Circumstances, "cast" | "steps">,
  undisturbed: Held,
  crashes: readonly Pick<Circumstances, "crashes" | "powerCut">[],
): Promise<string[]> {
  const found: string[] = [];
  for (const crash of crashes) {
    const circumstances = { ...scene, ...crash };
    const held = await hold(circumstances);
    const names = (crash.crashes ?? []).map(
      ({ n, when }, process) => `${when} ${n}, ${held.acts[process]?.[n - 1] ?? "?"}`,
    );
    found.push(
      ...breaches(held, undisturbed, circumstances).map((breach) => `${names.join("; ")}: ${breach}`),
    );
  }
  return found;
}

describe("a crash at any act (P-DUR-1 to P-RES-14)", () => {
  test.each(scenes)(
    "a conversation resumes after a crash at any act as if nothing had been: %s, killed",
    async (_name, { stride, ...scene }) => {
      const undisturbed = await hold(scene);
      const crashes = every(stride, everyCrash(actsOf(undisturbed).length)).map((crash) => ({
        crashes: [crash],
      }));
      expect(await tryEach(scene, undisturbed, crashes)).toEqual([]);
    },
  );

  test.each(scenes)(
    "a conversation resumes after a crash at any act as if nothing had been: %s, the power cut in many ways",
    async (_name, { stride, ...scene }) => {
      const undisturbed = await hold(scene);
      const crashes = every(stride, everyCrash(actsOf(undisturbed).length)).flatMap((crash, index) => {
        const cuts = all ? powerCuts : [powerCuts[index % powerCuts.length] as PowerCut];
        return cuts.map((powerCut) => ({ crashes: [crash], powerCut }));
      });
      expect(await tryEach(scene, undisturbed, crashes)).toEqual([]);
    },
  );

  test.each(scenes)(
    "a conversation resumes after a crash at any act as if nothing had been: %s, killed within a write",
    async (_name, { stride, ...scene }) => {
      const undisturbed = await hold(scene);
      const crashes = every(stride, crashesWithin(actsOf(undisturbed))).map((crash) => ({
        crashes: [crash],
      }));
      expect(await tryEach(scene, undisturbed, crashes)).toEqual([]);
    },
  );
});

describe("a second crash (P-RES-4)", () => {
  test.each(casts)(
    "a second crash while the conversation is resumed changes nothing either: %s",
    async (cast) => {
      const undisturbed = await hold({ cast });
      const [first = 1, second = 1] = TWICE;
      const found: string[] = [];
      for (const crash of every(first, everyCrash(actsOf(undisturbed).length))) {
        const resumed = await hold({ cast, crashes: [crash] });
        const twice = every(second, everyCrash(resumed.acts[1]?.length ?? 0)).map((again) => ({
          crashes: [crash, again],
        }));
        found.push(...(await tryEach({ cast }, undisturbed, twice)));
      }
      expect(found).toEqual([]);
    },
  );
});
