import { setMaxListeners } from "node:events";
import {
  type EventType,
  LocalError,
  type ToolCall,
  type ToolReturnValue,
  type UserInput,
  type WireEventInput,
} from "@askwire/protocol";
import type { Payload, Subagent, SubagentEnding, TakesLater, Tool, ToolOffer, Turn } from "../agent/agent.js";
import { runInContext, type Wire } from "../agent/context.js";
import { MissingTool } from "../agent/missing-tool.js";
import { blockedByHook, failedCall, isToldFailure, unkeptCall } from "../agent/tool-result.js";
import type { TurnHooks } from "../agent/turn-hooks.js";
import type { AnyInteraction } from "../requests/core.js";
import type { CallPlace } from "../requests/interaction.js";
import type { Scope } from "../requests/scope.js";
import { unlessAborted } from "../runtime/clock.js";
import { uuid } from "../runtime/uuid.js";
import { cutToFit } from "./tool-output.js";

/** The limit of steps was reached: the turn ends with that status. */
export class MaxStepsReached extends Error {
  override readonly name = "MaxStepsReached";
  readonly steps: number;

  constructor(steps: number) {
    super(`the limit of ${steps} steps is reached`);
    this.steps = steps;
  }
}

/** The services that a session gives its turns, or a turn gives its sub-agents. */
export interface TurnHost {
  broadcast(event: WireEventInput): void;
  offer(): ToolOffer;
  readonly dialectTools: readonly Tool[];
  externalTools(): readonly Tool[];
  planMode(): boolean;
  setPlanMode(enabled: boolean): void;
  unattended(): boolean;
  drained(): Promise<void>;
  readonly maxSteps: number;
  /** True if a sub-agent may ask the person. */
  readonly subagentQuestions: boolean;
}

/** The numbers that a turn has used. */
export interface TurnProgress {
  steps: number;
  /** The number of calls by their ids; made with the first. */
  calls?: Map<string, number>;
}

/** The parts of a turn. */
export interface TurnInit {
  readonly id: string;
  readonly input: UserInput;
  readonly host: TurnHost;
  readonly wire: Wire;
  readonly signal: AbortSignal;
  readonly scope: Scope;
  /** Registers and sends a request that lies in a scope. */
  open(request: AnyInteraction, scope: Scope): void;
  /** Gives up the open requests of a scope. */
  settle(scope: Scope): void;
  readonly hooks: TurnHooks;
  /** Counted on by a turn that goes on with another input. */
  readonly progress: TurnProgress;
  /**
   * Keeps that a call is about to run. Resolves once that is safe, with false for a call that must not run. Default:
   * nothing is kept.
   */
  readonly startCall?: ((place: CallPlace) => Promise<boolean>) | undefined;
  /** Set to end the turn after its step. */
  readonly stopping: { stopped: boolean };
  takeSteers(): UserInput[];
  /** Resolves once words wait that `takeSteers` gives. */
  steered(): Promise<void>;
  /** Writes an exception in a tool to the log, with its place. */
  exception(error: unknown, toolCall: ToolCall, place?: { readonly subagent: string }): void;
  /** The depth of sub-agents in sub-agents; 0 for a turn of the session. */
  readonly depth: number;
  /** Runs a sub-agent within a call of this turn. */
  runSubagent(init: TurnInit, turn: Turn, toolCall: ToolCall, subagent: Subagent): Promise<SubagentEnding>;
}

/** Makes the agent's view of a turn. */
export function createTurn(init: TurnInit): Turn {
  const { host, signal, progress, hooks, startCall } = init;

  /** The place of the next call with this id. */
  function placeOf(callId: string): CallPlace {
    progress.calls ??= new Map();
    const nth = (progress.calls.get(callId) ?? 0) + 1;
    progress.calls.set(callId, nth);
    return { callId, nth };
  }

  /** The wire of a call, by which its requests are found again. */
  const wireOf = ({ callId, nth }: CallPlace): Wire => ({
    send(request) {
      request.place ??= { turnId: init.id, callId, nth };
      init.wire.send(request);
    },
  });

  /** The result of a call that a hook blocks; undefined if no hook does. */
  async function blocked(toolCall: ToolCall): Promise<ToolReturnValue | undefined> {
    const verdict = await hooks.run("PreToolUse", { toolCall });
    signal.throwIfAborted();
    return verdict.action === "block" ? blockedByHook(verdict.reason) : undefined;
  }

  async function run(
    tool: Tool,
    toolCall: ToolCall,
    later: TakesLater | undefined,
  ): Promise<ToolReturnValue> {
    const context = {
      later,
      signal,
      unattended: host.unattended(),
      planMode: host.planMode(),
      setPlanMode: host.setPlanMode,
      stopTurn: () => {
        init.stopping.stopped = true;
      },
      emit: ({ type, payload }: WireEventInput) => turn.emit(type, payload as Payload<typeof type>),
      subagent: (subagent: Subagent): Promise<SubagentEnding> =>
        mayBeLeft(init.runSubagent(init, turn, toolCall, subagent)),
    };
    let { wire } = init;
    if (startCall !== undefined) {
      const place = placeOf(toolCall.id);
      const mayRun = await unlessAborted(startCall(place), signal);
      if (!mayRun) return unkeptCall();
      wire = wireOf(place);
    }
    try {
      return cutToFit(await unlessAborted(tool.call(toolCall, context, wire), signal));
    } catch (error) {
      if (signal.aborted) throw error;
      if (!isToldFailure(error)) init.exception(error, toolCall);
      return failedCall(error);
    }
  }

  async function callTool(
    tool: Tool,
    call: ToolCall | Record<string, unknown>,
    { announced = false, later }: { announced?: boolean; later?: TakesLater } = {},
  ): Promise<ToolReturnValue> {
    signal.throwIfAborted();
    const toolCall = isToolCall(call) ? call : newToolCall(tool.name, call);
    if (!announced) turn.emit("ToolCall", toolCall);
    const isHooked = !(tool instanceof MissingTool);
    const instead = isHooked && hooks.has("PreToolUse") ? await blocked(toolCall) : undefined;
    const value = instead ?? (await run(tool, toolCall, later));
    turn.emit("ToolResult", { tool_call_id: toolCall.id, return_value: value });
    // A call that did not run has neither succeeded nor failed.
    if (instead !== undefined || !isHooked) return value;
    const after = value.is_error ? "PostToolUseFailure" : "PostToolUse";
    if (hooks.has(after)) await hooks.run(after, { toolCall, value });
    return value;
  }

  const turn: Turn = Object.assign(new TurnAtPresent(init), {
    id: init.id,
    input: init.input,
    signal,
    wire: init.wire,
    hooks,
    dialectTools: host.dialectTools,
    emit<T extends EventType>(type: T, payload: Payload<T>) {
      if (!signal.aborted) host.broadcast({ type, payload } as WireEventInput);
    },
    say(text: string) {
      turn.emit("ContentPart", { type: "text", text });
    },
    step() {
      signal.throwIfAborted();
      if (progress.steps >= host.maxSteps) throw new MaxStepsReached(progress.steps);
      progress.steps += 1;
      turn.emit("StepBegin", { n: progress.steps });
      return progress.steps;
    },
    takeSteers() {
      const steers = init.takeSteers();
      for (const user_input of steers) turn.emit("SteerInput", { user_input });
      return steers;
    },
    steered: init.steered,
    callTool: (...call: Parameters<Turn["callTool"]>) => mayBeLeft(callTool(...call)),
    drained: host.drained,
  });
  return turn;
}

/** The members of a turn that change. A literal with getters makes a shape of its own for each turn: 2 kB. */
class TurnAtPresent {
  readonly #init: TurnInit;

  constructor(init: TurnInit) {
    this.#init = init;
  }

  get stopped() {
    return this.#init.stopping.stopped;
  }

  get offer() {
    return this.#init.host.offer();
  }

  get externalTools() {
    return this.#init.host.externalTools();
  }

  get planMode() {
    return this.#init.host.planMode();
  }

  get unattended() {
    return this.#init.depth === 0 && this.#init.host.unattended();
  }
}

/** Runs the agent where its `wireSend` finds this turn's wire. */
export function runTurn<T>(turn: Turn, action: () => T): T {
  return runInContext({ wire: turn.wire }, action);
}

/** Keeps a rejection that nobody hears from ending the process, since its turn may have ended meanwhile. */
function mayBeLeft<T>(work: Promise<T>): Promise<T> {
  work.catch(() => {});
  return work;
}

/** Makes a controller that aborts a turn. Each of many tool calls may listen to its signal. */
export function turnController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

/** The reason that a turn's signal is aborted with. */
export function turnCancelled(why: string): LocalError {
  return new LocalError("CLOSED", `the turn ended: ${why}`);
}

function isToolCall(call: ToolCall | Record<string, unknown>): call is ToolCall {
  return call.type === "function" && typeof call.id === "string" && typeof call.function === "object";
}

function newToolCall(name: string, params: Record<string, unknown>): ToolCall {
  return {
    type: "function",
    id: uuid(),
    function: { name, arguments: JSON.stringify(params) },
    extras: null,
  };
}
