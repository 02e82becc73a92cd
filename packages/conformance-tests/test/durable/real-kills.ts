import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sessionFolder } from "@askwire/server";
import { until } from "../faults/quiet.js";
import { answers, questions } from "./agent.js";
import type { Spoken } from "./conversation.js";
import {
  acknowledgedCounts,
  allSettled,
  askedOnce,
  isInDoubt,
  noneInvented,
  ranAtMostOnce,
  settledAtMostOnce,
} from "./invariants.js";
import { type JournalRecord, linesOf, payloadsOf, recordsOf } from "./journal-records.js";
import { MortalProcess } from "./mortal-process.js";
import { baseSeat, extendedSeat, type Seat } from "./people.js";

/** The sessions that each process begins; those of the process before it go on in it. */
export const SESSIONS = 20;
/** The acts of a session with one client, about: the kill of a process lies at each of them in turn. */
const ACTS = 80;
/** A conversation is over before a third kill: a turn that ends three processes and gets nowhere is given up. */
const KILLS_EACH = 2;

/** The figures of many conversations whose processes were killed. */
export interface Figures {
  kills: number;
  sessions: number;
  /** Conversations whose turn has no end, or another than the model's, or whose file was not written. */
  unfinished: number;
  /** Conversations of which nobody can say if the file was written, as the model and the persons were told. */
  inDoubt: number;
  /** Acknowledged answers that are not the settlement of their request. */
  lost: number;
  /** Requests that were settled twice, or never. */
  doubled: number;
  /** Answers that nobody gave. */
  invented: number;
  /** Times that a request was put before a person again, in the extended profile and in the base profile. */
  askedAgain: { extended: number; base: number };
  /** Requests that were put before a person more often than promised, or under another id. */
  askedTooOften: number;
  /** Calls with two effects or results. */
  runTwice: number;
}

interface Conversation {
  readonly id: string;
  readonly seats: readonly Seat[];
  readonly lines: Spoken[];
}

/** Begins twenty sessions in each of so many processes, kills each at an act of one session, and brings all to an end. */
export async function killOften(program: string, kills: number, first = 1): Promise<Figures> {
  const share = mkdtempSync(join(tmpdir(), "askwire-kills-"));
  const conversations: Conversation[] = [];
  /** The conversations, from the first on, whose people have left. */
  let left = 0;
  const bound = AbortSignal.timeout(600_000);
  const server = new MortalProcess(program, share, bound);

  function begin(n: number): Conversation {
    const id = `00000000-0000-4000-8000-${String(conversations.length).padStart(12, "0")}`;
    const lines: Spoken[] = [];
    const seat = (name: string, prompts: boolean, says: (what: string) => boolean) => ({
      name,
      road: server.road(id, name, lines),
      prompts,
      answers: says,
    });
    const second = (what: string) => what === questions[1];
    const seats =
      n % 3 === 0
        ? [extendedSeat(seat("x", true, () => true))]
        : n % 3 === 1
          ? [baseSeat(seat("b", true, () => true))]
          : [extendedSeat(seat("x", true, (what) => !second(what))), baseSeat(seat("b", false, second))];
    const conversation = { id, seats, lines };
    conversations.push(conversation);
    return conversation;
  }

  const isOver = ({ seats: [seat] }: Conversation) =>
    seat?.person.sawEnd === true || seat?.person.result !== undefined;

  /** Lets a process live until every conversation is over, and ends that too. */
  async function bringToEnd(): Promise<void> {
    await server.start();
    await until(() => conversations.every(isOver), bound);
    for (const { seats } of conversations.slice(left)) for (const seat of seats) await seat.leave();
    left = conversations.length;
    await server.kill();
  }

  try {
    for (let kill = 0; kill < kills; kill += 1) {
      const doomed = `00000000-0000-4000-8000-${String(conversations.length).padStart(12, "0")}`;
      await server.start(doomed, 1 + ((first + kill * 7) % ACTS));
      const begun: Conversation[] = [];
      const heard = () => begun.reduce((sum, { lines }) => sum + lines.length, 0);
      for (let n = 0; n < SESSIONS; n += 1) {
        begun.push(begin(kill + n));
        // Each is some messages ahead of the next.
        const before = heard();
        await until(() => !server.isRunning || heard() >= before + 4 || begun.every(isOver), bound);
      }
      await until(() => !server.isRunning || isOver(begun[0] as Conversation), bound);
      await server.kill();
      if (kill % KILLS_EACH === KILLS_EACH - 1) await bringToEnd();
    }
    await bringToEnd();
    return figuresOf(share, conversations, kills);
  } finally {
    await server.kill();
    rmSync(share, { recursive: true, force: true });
  }
}

const isFinished = (records: readonly JournalRecord[]) =>
  payloadsOf(records, "TurnEnded").every(({ status }) => status === "finished");

function figuresOf(share: string, conversations: readonly Conversation[], kills: number): Figures {
  const effects = linesOf(readFileSync(join(share, "effects"), "utf8"));
  const figures: Figures = {
    kills,
    sessions: conversations.length,
    unfinished: 0,
    inDoubt: 0,
    lost: 0,
    doubled: 0,
    invented: 0,
    askedAgain: { extended: 0, base: 0 },
    askedTooOften: 0,
    runTwice: 0,
  };
  for (const { id, seats, lines } of conversations) {
    const folder = sessionFolder({ share, workDir: "/project", id });
    const records = recordsOf(readFileSync(join(folder, "wire.jsonl"), "utf8"));
    const own = effects.filter((effect) => effect.startsWith(id));
    if (isInDoubt(records)) figures.inDoubt += 1;
    else if (own.length === 0 || !isFinished(records)) figures.unfinished += 1;
    figures.lost += acknowledgedCounts(records, lines).length;
    figures.doubled += settledAtMostOnce(records).length + allSettled(records).length;
    figures.invented += noneInvented(records, answers).length;
    figures.runTwice += ranAtMostOnce(records, own).length;
    figures.askedTooOften += askedOnce(
      seats.map(({ person }) => person),
      KILLS_EACH,
    ).length;
    for (const { person } of seats) {
      figures.askedAgain[person.profile] +=
        person.asked.length - new Set(person.asked.map(({ what }) => what)).size;
    }
  }
  return figures;
}
