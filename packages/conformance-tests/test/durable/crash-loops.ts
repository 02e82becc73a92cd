import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sessionFolder } from "@askwire/server";
import fc from "fast-check";
import { deferred } from "../../../../scripts/deferred.js";
import { until } from "../faults/quiet.js";
import { questions } from "./agent.js";
import type { Spoken } from "./conversation.js";
import { payloadsOf, recordsOf } from "./journal-records.js";
import { MortalProcess } from "./mortal-process.js";
import { baseSeat, extendedSeat, type Seat } from "./people.js";

/** The kills of a loop: one while a question is open, and two soon after each start. */
export const KILLS = 3;
/** The sessions of a loop, in turn of the extended and of the base profile. */
export const SESSIONS = 4;
/** The longest time between a start and its kill, and between the first word after a start and a kill, in milliseconds. */
const LONGEST_MS = 2_000;
const SOON_MS = 20;

/** The figures of many crash loops. */
export interface LoopFigures {
  kills: number;
  /** Questions that were open at the first kill. */
  asked: number;
  /** Those of them that were answered after the last one, each turn at its end. */
  answered: number;
  /** Those that anybody but a person ended, in words. */
  lost: string[];
}

/** The moment of a kill: so long after the start, or after the first word of the server to a client. */
type Moment = { readonly after: "start" | "word"; readonly ms: number };

const afterStart = fc.record({
  after: fc.constant("start" as const),
  ms: fc.integer({ min: 0, max: LONGEST_MS }),
});
// A turn that goes on is about to be noted, or just was.
const afterWord = fc.record({
  after: fc.constant("word" as const),
  ms: fc.integer({ min: 0, max: SOON_MS }),
});
const both = <T>(moment: fc.Arbitrary<T>) => fc.tuple(moment, moment);

/** Kills processes three times each while questions are open before people who do not answer before the fourth start. */
export async function crashOften(program: string, loops: number, seed: number): Promise<LoopFigures> {
  const figures: LoopFigures = { kills: 0, asked: 0, answered: 0, lost: [] };
  const [starts, words] = [afterStart, afterWord].map((moment) =>
    fc.sample(both<Moment>(moment), { seed, numRuns: loops }),
  );
  for (let n = 0; n < loops; n += 1) await crash(program, (n % 2 === 0 ? words : starts)?.[n] ?? [], figures);
  return figures;
}

async function crash(program: string, moments: readonly Moment[], figures: LoopFigures): Promise<void> {
  const share = mkdtempSync(join(tmpdir(), "askwire-loops-"));
  const bound = AbortSignal.timeout(120_000);
  const server = new MortalProcess(program, share, bound);
  const { promise: mayAnswer, resolve: answer } = deferred<boolean>();
  const ids = Array.from(
    { length: SESSIONS },
    (_, n) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`,
  );
  const seats: Seat[] = [];
  const spoken: Spoken[][] = [];
  const heard = () => spoken.flat().filter(({ by }) => by === "server").length;
  try {
    await server.start();
    for (const [n, id] of ids.entries()) {
      const lines: Spoken[] = [];
      spoken.push(lines);
      const seating = { name: `p${n}`, road: server.road(id, `p${n}`, lines), prompts: true };
      const sits = n % 2 === 0 ? extendedSeat : baseSeat;
      seats.push(sits({ ...seating, answers: () => mayAnswer }));
    }
    await until(() => seats.every(({ person }) => person.asked.length > 0), bound);
    figures.asked += seats.length;
    await server.kill();
    for (const { after, ms } of moments) {
      const before = heard();
      await server.start();
      if (after === "word") await until(() => heard() > before, bound);
      await new Promise((resolve) => setTimeout(resolve, ms));
      await server.kill();
    }
    figures.kills += KILLS;
    await server.start();
    answer(true);
    const isOver = ({ person }: Seat) => person.sawEnd || person.result !== undefined;
    await until(() => seats.every(isOver), bound);
    for (const seat of seats) await seat.leave();
    await server.kill();
    for (const id of ids) {
      const folder = sessionFolder({ share, workDir: "/project", id });
      const records = recordsOf(readFileSync(join(folder, "wire.jsonl"), "utf8"));
      const ends = payloadsOf(records, "InteractionSettled").map((payload) => JSON.stringify(payload));
      const lost = ends.filter((end) => !end.includes('"by":"human"'));
      figures.lost.push(...lost.map((end) => `${JSON.stringify(moments)}: ${end}`));
      if (lost.length === 0 && ends.length > questions.length) figures.answered += 1;
    }
  } finally {
    await server.kill();
    rmSync(share, { recursive: true, force: true });
  }
}
