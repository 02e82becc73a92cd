import { type ActingClient, type PromptResult, type UserInput, WireError } from "@askwire/protocol";
import type { Agent } from "../agent/agent.js";
import { MaxStepsReached } from "../agent/max-steps.js";
import type { TurnHooks } from "../agent/turn-hooks.js";
import type { OwnRecord } from "../journal/entries.js";
import type { Journal } from "../journal/journal.js";
import { QuestionNotSupported } from "../requests/errors.js";
import type { CallPlace } from "../requests/interaction.js";
import { questionsInText } from "../requests/questions-in-text.js";
import { unlessAborted } from "../runtime/clock.js";
import type { Log } from "../runtime/log.js";
import { runPrompt } from "../turn/prompt.js";
import { runSubagent } from "../turn/subagent.js";
import { AgentTurn, runTurn } from "../turn/turn.js";
import type { TurnMemory } from "../turn/turn-facts.js";
import type { TurnHost, TurnInit } from "../turn/turn-init.js";
import { errorForClients } from "./failure.js";
import type { RunningTurn } from "./running-turn.js";
import type { SessionEvents } from "./session-events.js";

/** The id of the turn, and the client that asked for it. */
export interface TurnMarks {
  readonly turn_id: string;
  readonly by?: ActingClient;
}

/** The parts of its session that a turn uses. */
export interface TurnPlace {
  readonly events: SessionEvents;
  readonly agent: Agent;
  readonly host: TurnHost;
  readonly sessionId: string;
  readonly log: Log;
  /** True if clients are told the text of an exception. */
  readonly rawErrors: boolean;
  /** The hooks of the clients, called within this turn. */
  readonly hooksIn: (running: RunningTurn) => TurnHooks;
  /** Default: nothing is kept. */
  readonly journal: Journal | undefined;
  /** The part of a turn that outlives the process; undefined in a session that is not kept. */
  readonly memoryOf: (running: RunningTurn) => TurnMemory | undefined;
  /** Called when nothing of it is open, before clients are told of its end. */
  readonly beforeEnd: (ended: TurnEnded) => Promise<void> | undefined;
  /** Called when it counts as over, right before clients are told. */
  readonly over: () => void;
  /** Called when they were. */
  readonly ended: () => void;
}

/** The longest error message for every client, in UTF-16 units. The client that prompted gets it whole. */
const MAX_MESSAGE = 1_000;

/** Runs the agent on one prompt, between TurnBegin and TurnEnd (P-TRN-2 to P-TRN-6, P-XTR-1). */
export async function runSessionTurn(
  place: TurnPlace,
  running: RunningTurn,
  input: UserInput,
  marks: TurnMarks,
): Promise<PromptResult> {
  const { events } = place;
  let ended: Ended = { status: "cancelled" };
  try {
    if (running.left === undefined) events.tell(beginning(input), marks);
    // Clients have been told the beginning of a turn that an earlier process left.
    else place.journal?.turnResumed(running.id, running.left.turn.attempts + 1);
    const result = await untilEnd(place, running, input, marks.turn_id);
    ended = { ...result };
    return result;
  } catch (error) {
    if (running.suspended !== undefined) throw running.suspended;
    const { turn_id: turn } = marks;
    if (!(error instanceof WireError)) {
      place.log.error({ session: place.sessionId, turn, err: error }, "the agent failed");
    }
    const { code, message } = agentError(error, turn, place.rawErrors);
    ended = { status: "failed", error: { code, message: message.slice(0, MAX_MESSAGE) } };
    throw error;
  } finally {
    running.finish();
    if (running.suspended === undefined) {
      const writing = place.beforeEnd({ turn_id: marks.turn_id, ...ended });
      if (writing !== undefined) await writing;
      place.over();
      events.tell({ type: "TurnEnd", payload: {} }, { ...marks, ...ended });
    } else place.over();
    running.over();
    place.ended();
  }
}

type TurnEnded = OwnRecord<"TurnEnded">;
type Ended = Pick<TurnEnded, "status" | "steps" | "error">;

const beginning = (user_input: UserInput) => ({ type: "TurnBegin" as const, payload: { user_input } });

/** Keeps the beginning of a turn before anybody is told. Returns false for a turn that must not begin (P-DUR-6). */
export const keepsBeginning = ({ journal }: TurnPlace, input: UserInput, marks: TurnMarks): boolean =>
  journal === undefined || journal.turnOpened({ ...marks }, beginning(input));

/** Keeps that a call is about to run: see {@link TurnInit}. */
const callStarter = (journal: Journal) => async (place: CallPlace) => {
  if (!journal.callStarted({ call_id: place.callId, nth: place.nth })) return false;
  const syncing = journal.synced();
  if (syncing === undefined) return true;
  await syncing;
  // Calls that shared a sync begin one after the other, as they would without.
  await new Promise((resolve) => setImmediate(resolve));
  return true;
};

/** The error that clients are told of an agent that failed. */
export const agentError = (error: unknown, turn: string, raw: boolean): WireError =>
  errorForClients(error, "the agent failed", `turn ${turn}`, raw);

async function untilEnd(
  { agent, host, events, journal, hooksIn, memoryOf, sessionId, log, rawErrors }: TurnPlace,
  running: RunningTurn,
  input: UserInput,
  id: string,
): Promise<PromptResult> {
  const { scope, signal } = running;
  const hooks = hooksIn(running);
  const init: TurnInit = {
    id,
    input,
    host,
    wire: { send: (request) => running.open(request, scope) },
    memory: memoryOf(running),
    signal,
    scope,
    open: (request, inner) => running.open(request, inner),
    settle: (inner) => running.settle(inner),
    hooks,
    progress: { steps: 0 },
    stopping: running,
    takeSteers: () => running.takeSteers(),
    steered: () => running.steered(),
    exception: (err, { id: call, function: { name: tool } }, more) =>
      log.error({ session: sessionId, turn: id, ...more, tool, call, err }, "a tool failed"),
    depth: 0,
    startCall: journal && callStarter(journal),
    runSubagent,
  };
  const turn = new AgentTurn(init);
  try {
    const opened = journal?.synced();
    if (opened !== undefined) await unlessAborted(opened, signal);
    signal.throwIfAborted();
    const run = runTurn(turn, () =>
      runPrompt(agent, turn, (again) => new AgentTurn({ ...init, input: again })),
    );
    return (await unlessAborted(run, signal)) ?? { status: "finished" };
  } catch (error) {
    if (running.suspended !== undefined) throw running.suspended;
    if (signal.aborted) return { status: "cancelled" };
    if (error instanceof MaxStepsReached) return { status: "max_steps_reached", steps: error.steps };
    if (error instanceof QuestionNotSupported && error.questions.length > 0) {
      turn.say(questionsInText(error.questions));
      return { status: "finished" };
    }
    if (init.progress.steps > 0) events.broadcast({ type: "StepInterrupted", payload: {} });
    if (hooks.has("StopFailure")) {
      const told = rawErrors ? error : agentError(error, id, false);
      await hooks.run("StopFailure", { error, told });
    }
    if (signal.aborted) return { status: "cancelled" };
    throw error;
  }
}
