import { LocalError, type PromptResult, WireError } from "@askwire/protocol";
import type { Agent } from "../agent/agent.js";
import type { Dialect, ToolDialect } from "../dialects/dialect.js";
import type { OwnRecord } from "../journal/entries.js";
import type { Journal } from "../journal/journal.js";
import type { LeftTurns, Unfinished } from "../journal/unfinished.js";
import { type CallPlace, outcomeNow } from "../requests/interaction.js";
import type { Log } from "../runtime/log.js";
import { findCommand } from "../turn/slash-command.js";
import { turnFacts } from "../turn/turn-facts.js";
import { LeftRequests } from "./left-requests.js";
import type { LeftTurn } from "./turn-memory.js";

export interface ResumableOptions {
  readonly turn: Unfinished;
  readonly agent: Agent;
  readonly dialects: readonly (Dialect | ToolDialect)[];
  readonly journal: Journal;
  /** False if the server was told to resume no turn. */
  readonly allowed: boolean;
  readonly now: number;
  readonly log: Log;
}

/** Why a turn cannot go on, and the reason that its open requests end with. */
export interface NotResumable {
  readonly reason: "shutdown" | "agent";
  readonly why: string;
}

/** Attempts without progress, after which a turn is taken to end its process each time. */
const MOST_FRUITLESS = 2;
/** The age at which a turn that was cut in the middle of a step does not go on by itself, in milliseconds. */
const OLD_MS = 7 * 24 * 60 * 60 * 1000;

/** Decides about a turn of an earlier process (P-RES-2). */
export function resumable(options: ResumableOptions): LeftTurn | NotResumable {
  const { turn, agent, dialects, journal, allowed, now, log } = options;
  if (!allowed) return { reason: "shutdown", why: "turns of earlier processes are not resumed here" };
  if (agent.resumes !== true || findCommand(agent.commands ?? [], turn.input) !== undefined) {
    return { reason: "shutdown", why: "the process ended, and the agent does not resume turns" };
  }
  const facts = turnFacts(turn);
  const isDone = (place: CallPlace) => facts.result(place) !== undefined;
  let requests: LeftRequests;
  try {
    requests = new LeftRequests({ turn, dialects, isDone, journal });
  } catch (error) {
    log.error({ turn: turn.turnId, error: String(error) }, "a recorded request cannot be asked again");
    return { reason: "shutdown", why: "a recorded request of the turn cannot be asked again" };
  }
  if (now - turn.lastAt > OLD_MS && !requests.isOpen && !requests.isAnswered) {
    return { reason: "shutdown", why: "the process ended more than seven days ago" };
  }
  const isStuck = turn.fruitless >= MOST_FRUITLESS;
  if (isStuck) {
    const why = `the process ended ${turn.fruitless + 1} times while this turn ran, and nothing came of it`;
    const next = requests.isOpen ? "its agent waits for the answer to what is open" : "it has ended";
    log.warn({ turn: turn.turnId }, `${why}: ${next}`);
    if (!requests.isOpen) return { reason: "agent", why };
  }
  return { turn, facts, requests, waits: isStuck };
}

/** Records the end of a turn that does not go on, and of its open requests. Returns these ends. */
export function endLeftTurn(
  journal: Journal,
  turn: Unfinished,
  { reason, why }: NotResumable,
): Pick<LeftTurns, "settled" | "ended"> {
  const settled = turn.requests
    .filter((request) => request.settled === undefined)
    .map(({ opened: { request_id, kind } }) => ({
      request_id,
      kind,
      outcome: outcomeNow("withdrawn", { reason, by: "system" }),
    }));
  for (const request of settled) journal.settled(request);
  const error = { code: new WireError("InternalError", why).code, message: why };
  const ended = { turn_id: turn.turnId, status: "failed" as const, error };
  journal.turnEnded(ended);
  return { settled, ended: [ended] };
}

/** The result of a turn that ended in an earlier process, as whoever asks again is told it (P-XTR-2). */
export async function endedTurn(ended: OwnRecord<"TurnEnded">): Promise<PromptResult> {
  const { status, steps = 0, error } = ended;
  if (status === "finished" || status === "cancelled") return { status };
  if (status === "max_steps_reached") return { status, steps };
  throw error === undefined
    ? new LocalError("CLOSED", "the turn failed in an earlier process")
    : new WireError(error.code, error.message);
}
