import { events, LocalError, type ToolCall, type WireEventInput } from "@askwire/protocol";
import { validateCompiled } from "@askwire/protocol/node";
import type { Subagent, SubagentEnding, Turn } from "../agent/agent.js";
import { MaxStepsReached } from "../agent/max-steps.js";
import type { AnyInteraction } from "../requests/core.js";
import { outcomeNow } from "../requests/interaction.js";
import { Scope } from "../requests/scope.js";
import { uuid } from "../runtime/uuid.js";
import { endOfRun } from "./end-of-run.js";
import { AgentTurn, runTurn, turnCancelled, turnController } from "./turn.js";
import type { TurnInit } from "./turn-init.js";

/** The offer for a sub-agent whose questions are refused, so that it has no tools that ask (P-SUB-3). */
const asksNobody = { offer: () => ({ canAsk: false, canPlan: false }) };
/** Sub-agents within each other. */
const MAX_DEPTH = 8;

/**
 * Runs a sub-agent within a tool call (P-SUB-1 to P-SUB-4). Its events reach the clients inside a SubagentEvent. Its
 * approvals carry its id and type, and its questions are refused.
 *
 * @throws any exception of its agent, the abort's reason, or LocalError INVALID_STATE for agents nested too deep.
 */
export async function runSubagent(
  parent: TurnInit,
  parentTurn: Turn,
  toolCall: ToolCall,
  subagent: Subagent,
): Promise<SubagentEnding> {
  const { type, input, agent, id = uuid(), description } = subagent;
  if (parent.depth >= MAX_DEPTH) {
    throw new LocalError("INVALID_STATE", `subagent: more than ${MAX_DEPTH} sub-agents within each other`);
  }
  const scope = new Scope(parent.scope);
  /** Aborted at the end of the sub-agent, or of its surroundings. */
  const over = turnController();
  const follow = () => over.abort(parent.signal.reason);
  parent.signal.addEventListener("abort", follow, { once: true, signal: over.signal });
  const origin = {
    agent_id: id,
    subagent_type: type,
    parent_tool_call_id: toolCall.id,
    ...(description !== undefined && { description }),
  };
  let text = "";

  function broadcast(event: WireEventInput): void {
    if (event.type === "StepBegin") text = "";
    if (event.type === "ContentPart" && event.payload.type === "text") text += event.payload.text;
    // The inner event is not validated on its way, and gets its defaults here.
    const inner = validateCompiled(events[event.type], event.payload);
    if (!inner.ok)
      throw new LocalError("BAD_MESSAGE", `${event.type} does not fit the protocol: ${inner.problem}`);
    parentTurn.emit("SubagentEvent", {
      parent_tool_call_id: toolCall.id,
      agent_id: id,
      subagent_type: type,
      event: { type: event.type, payload: inner.value },
    });
  }

  function open(request: AnyInteraction, inner: Scope): void {
    const late = over.signal.aborted && !parent.signal.aborted;
    if (late) request.settle({ outcome: outcomeNow("withdrawn", { reason: "agent", by: "system" }) });
    else parent.open(request, inner);
  }

  const progress = { steps: 0 };
  const turn = new AgentTurn({
    ...parent,
    id: uuid(),
    input,
    host: { ...parent.host, broadcast, ...(parent.host.subagentQuestions ? {} : asksNobody) },
    wire: {
      send(request) {
        request.origin ??= origin;
        open(request, scope);
      },
    },
    signal: over.signal,
    scope,
    open,
    progress,
    memory: undefined,
    stopping: { stopped: false },
    takeSteers: () => [],
    steered: () => new Promise(() => {}),
    exception: (error, inner, place) => parent.exception(error, inner, { subagent: id, ...place }),
    depth: parent.depth + 1,
    // The call that it works in is kept, and stands for its calls.
    startCall: undefined,
  });

  const { hooks } = parent;
  if (hooks.has("SubagentStart")) await hooks.run("SubagentStart", { agentName: type, prompt: input });
  parent.signal.throwIfAborted();
  broadcast({ type: "TurnBegin", payload: { user_input: input } });
  try {
    const ending = endOfRun(await runTurn(turn, () => agent.run(turn))) ?? { status: "finished" as const };
    return { ...ending, text };
  } catch (error) {
    if (error instanceof MaxStepsReached) return { status: "max_steps_reached", steps: error.steps, text };
    if (progress.steps > 0) broadcast({ type: "StepInterrupted", payload: {} });
    throw error;
  } finally {
    parent.settle(scope);
    over.abort(turnCancelled("the sub-agent is over"));
    broadcast({ type: "TurnEnd", payload: {} });
    if (hooks.has("SubagentStop")) await hooks.run("SubagentStop", { agentName: type, response: text });
  }
}
