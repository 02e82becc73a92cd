import { setMaxListeners } from "node:events";
import {
  type EventType,
  LocalError,
  type ToolCall,
  type ToolReturnValue,
  type UserInput,
  type WireEventInput,
} from "@askwire/protocol";
import type {
  CallOptions,
  Payload,
  Subagent,
  SubagentEnding,
  TakesLater,
  Tool,
  ToolOffer,
  Turn,
} from "../agent/agent.js";
import { runInContext, type Wire } from "../agent/context.js";
import { Interrupted } from "../agent/interrupted.js";
import { leftCall } from "../agent/interrupted-calls.js";
import { MissingTool } from "../agent/missing-tool.js";
import { blockedByHook, failedCall, isToldFailure, unkeptCall } from "../agent/tool-result.js";
import type { TurnHooks } from "../agent/turn-hooks.js";
import type { AnyInteraction } from "../requests/core.js";
import type { CallPlace } from "../requests/interaction.js";
import type { Scope } from "../requests/scope.js";
import { unlessAborted } from "../runtime/clock.js";
import { mayBeLeft } from "../runtime/may-be-left.js";
import { namedUuid } from "../runtime/named-uuid.js";
import { uuid } from "../runtime/uuid.js";
import { cutToFit } from "./tool-output.js";
import type { TurnMemory } from "./turn-facts.js";

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

/** The numbers and names that a turn has used. */
export interface TurnProgress {
  steps: number;
  /** The number of calls by their ids; made with the first. */
  calls?: Map<string, number>;
  /** The keys of `once`; made with the first. */
  keys?: Set<string>;
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
  /** The part that outlives the process. Default: nothing does. */
  readonly memory?: TurnMemory | undefined;
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
  const { host, signal, progress, hooks, memory, startCall } = init;

  /** The place of the next call with this id. */
  function placeOf(callId: string, given: number | undefined): CallPlace {
    progress.calls ??= new Map();
    const nth = given ?? (progress.calls.get(callId) ?? 0) + 1;
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

  /** The result of a call that its process left and that must not run again (P-RES-5). */
  function leftResult({ restart = "interrupt" }: Tool, call: ToolCall, place: CallPlace) {
    if (memory?.facts.isStarted(place) !== true) return undefined;
    const way = typeof restart === "function" ? restart(call) : restart;
    const runs = way === "again" || (way === "asks-first" && !memory.isPast(place));
    return runs ? undefined : leftCall(memory.giveUp(place));
  }

  async function once<T>(
    key: string,
    work: () => T | Promise<T>,
    { again = false }: { again?: boolean } = {},
  ): Promise<T> {
    signal.throwIfAborted();
    progress.keys ??= new Set();
    if (progress.keys.has(key)) {
      throw new LocalError(
        "INVALID_STATE",
        `turn.once: the key ${JSON.stringify(key)} was used in this turn`,
      );
    }
    progress.keys.add(key);
    const done = memory?.facts.done(key);
    if (done !== undefined) return done.value as T;
    if (!again) {
      if (memory?.facts.isBegun(key) === true) throw new Interrupted(key);
      await memory?.begin(key);
    }
    const value = await work();
    signal.throwIfAborted();
    await memory?.end(key, value);
    return value;
  }

  /** The result of a call that a hook blocks; undefined if no hook does. */
  async function blocked(toolCall: ToolCall): Promise<ToolReturnValue | undefined> {
    const verdict = await hooks.run("PreToolUse", { toolCall });
    signal.throwIfAborted();
    return verdict.action === "block" ? blockedByHook(verdict.reason) : undefined;
  }

  async function run(
    tool: Tool,
    toolCall: ToolCall,
    place: CallPlace,
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
      const mayRun = memory?.facts.isStarted(place) || (await unlessAborted(startCall(place), signal));
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

  /** Takes up the question of a call whose result was told before the answer. */
  async function askOn(tool: Tool, toolCall: ToolCall, place: CallPlace, later: TakesLater): Promise<void> {
    let isLater = false;
    const value = await run(tool, toolCall, place, (late) => {
      isLater = true;
      later(late);
    });
    // An answer that is there already is the tool's result at once.
    if (!isLater) later({ callId: toolCall.id, what: tool.name, result: Promise.resolve(value) });
  }

  async function callTool(
    tool: Tool,
    call: ToolCall | Record<string, unknown>,
    { announced = false, later, key, nth, relayed = false }: CallOptions = {},
  ): Promise<ToolReturnValue> {
    signal.throwIfAborted();
    const id = key === undefined ? undefined : namedUuid(JSON.stringify([init.id, key]));
    const toolCall = isToolCall(call) ? call : newToolCall(tool.name, call, id);
    if (relayed) return run(tool, toolCall, placeOf(toolCall.id, nth), later);
    const place = placeOf(toolCall.id, nth);
    const done = memory?.facts.result(place);
    if (done !== undefined) {
      if (later !== undefined && memory?.asksInBackground(place) === true) {
        void askOn(tool, toolCall, place, later).catch(() => {});
      }
      return done;
    }
    if (!announced && memory?.facts.isTold(place) !== true) turn.emit("ToolCall", toolCall);
    const left = leftResult(tool, toolCall, place);
    if (left !== undefined) {
      turn.emit("ToolResult", { tool_call_id: toolCall.id, return_value: left });
      return left;
    }
    const isHooked = !(tool instanceof MissingTool);
    const instead = isHooked && hooks.has("PreToolUse") ? await blocked(toolCall) : undefined;
    const value = instead ?? (await run(tool, toolCall, place, later));
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
    resumed: memory?.resumed,
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
      if (progress.steps > (memory?.facts.steps ?? 0)) turn.emit("StepBegin", { n: progress.steps });
      return progress.steps;
    },
    takeSteers({ told = false } = {}) {
      const steers = init.takeSteers();
      if (!told) for (const user_input of steers) turn.emit("SteerInput", { user_input });
      return steers;
    },
    steered: init.steered,
    callTool: (...call: Parameters<Turn["callTool"]>) => mayBeLeft(callTool(...call)),
    once: <T>(...piece: Parameters<typeof once<T>>) => mayBeLeft(once(...piece)),
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

function newToolCall(name: string, params: Record<string, unknown>, id = uuid()): ToolCall {
  return {
    type: "function",
    id,
    function: { name, arguments: JSON.stringify(params) },
    extras: null,
  };
}
