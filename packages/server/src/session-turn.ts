import type { PromptResult, UserInput } from "@askwire/protocol";
import { toWireError } from "@askwire/protocol/internal";
import type { Agent } from "./agent.js";
import type { ClientName } from "./profile.js";
import { runPrompt } from "./prompt.js";
import type { RunningTurn } from "./running-turn.js";
import type { SessionEvents } from "./session-events.js";
import { createTurn, MaxStepsReached, runTurn, type TurnHost, type TurnInit, unlessAborted } from "./turn.js";
import type { TurnHooks } from "./turn-hooks.js";

/** Which turn it is, and which client asked for it. */
export interface TurnMarks {
  readonly turn_id: string;
  readonly by?: ClientName;
}

/** What a turn of a session runs in. */
export interface TurnPlace {
  readonly events: SessionEvents;
  readonly agent: Agent;
  readonly host: TurnHost;
  /** The hooks of the clients, called within this turn. */
  readonly hooksIn: (running: RunningTurn) => TurnHooks;
  /** Called when nothing of it is open any more, before clients are told of its end. */
  readonly beforeEnd: () => Promise<void> | undefined;
  /** Called when it counts as over, right before clients are told. */
  readonly over: () => void;
  /** Called when they were. */
  readonly ended: () => void;
}

/** UTF-16 units of an error's message that every client is told; who prompted has it whole. */
const MAX_MESSAGE = 1_000;

/** Runs the agent on one prompt, between TurnBegin and TurnEnd (P-TRN-2 to P-TRN-6, P-XTR-1). */
export async function runSessionTurn(
  place: TurnPlace,
  running: RunningTurn,
  input: UserInput,
  marks: TurnMarks,
): Promise<PromptResult> {
  const { events } = place;
  let ended: object = { status: "cancelled" };
  try {
    events.broadcast({ type: "TurnBegin", payload: { user_input: input } }, marks);
    events.state();
    const result = await untilEnd(place, running, input, marks.turn_id);
    ended = { ...result };
    return result;
  } catch (error) {
    const { code, message } = toWireError(error);
    ended = { status: "failed", error: { code, message: message.slice(0, MAX_MESSAGE) } };
    throw error;
  } finally {
    running.finish();
    const writing = place.beforeEnd();
    if (writing !== undefined) await writing;
    place.over();
    events.tell({ type: "TurnEnd", payload: {} }, { ...marks, ...ended });
    events.state();
    running.over();
    place.ended();
  }
}

async function untilEnd(
  { agent, host, events, hooksIn }: TurnPlace,
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
    signal,
    scope,
    open: (request, inner) => running.open(request, inner),
    settle: (inner) => running.settle(inner),
    hooks,
    progress: { steps: 0 },
    stopping: running,
    takeSteers: () => running.takeSteers(),
    depth: 0,
  };
  const turn = createTurn(init);
  try {
    const run = runTurn(turn, () => runPrompt(agent, turn, (again) => createTurn({ ...init, input: again })));
    return (await unlessAborted(run, signal)) ?? { status: "finished" };
  } catch (error) {
    if (signal.aborted) return { status: "cancelled" };
    if (error instanceof MaxStepsReached) return { status: "max_steps_reached", steps: error.steps };
    if (init.progress.steps > 0) events.broadcast({ type: "StepInterrupted", payload: {} });
    if (hooks.has("StopFailure")) await hooks.run("StopFailure", { error });
    if (signal.aborted) return { status: "cancelled" };
    throw error;
  }
}
