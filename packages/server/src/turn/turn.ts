import { setMaxListeners } from "node:events";
import {
  type EventType,
  LocalError,
  type ToolCall,
  type ToolReturnValue,
  type UserInput,
  type WireEventInput,
} from "@askwire/protocol";
import { v4 as uuid } from "uuid";
import { runInContext, type Wire } from "../agent/context.js";
import { blockedByHook, failedCall, isToldFailure, type Tool, type ToolOffer } from "../agent/tool.js";
import type { TurnHooks } from "../agent/turn-hooks.js";
import type { AnyInteraction } from "../requests/core.js";
import type { Scope } from "../requests/scope.js";
import { runSubagent, type Subagent, type SubagentEnding } from "./subagent.js";
import { cutToFit } from "./tool-output.js";

type Payload<T extends EventType> = Extract<WireEventInput, { type: T }>["payload"];

/** One prompt and all that follows from it, as the agent sees it. */
export interface Turn {
  /** A UUID, or what the client that prompted called it. */
  readonly id: string;
  /** What the person said; of a sub-agent what it was told. */
  readonly input: UserInput;
  /** Aborted when the turn is cancelled or its session ends. */
  readonly signal: AbortSignal;
  /** What requests to the person are sent through; `wireSend` finds it by itself. */
  readonly wire: Wire;
  /** What tools are offered by; asked anew at each step. */
  readonly offer: ToolOffer;
  /** The tools of the session's dialects. */
  readonly dialectTools: readonly Tool[];
  /** The tools that clients bring at this moment; another one may have a name only once the agent has it not. */
  readonly externalTools: readonly Tool[];
  /** True while the agent may only look and plan. */
  readonly planMode: boolean;
  /** True while nobody is there to answer. Never in a sub-agent, which asks nobody anyway. */
  readonly unattended: boolean;
  /**
   * Whether an agent should end its turn once the calls of its step are done: the person rejected an approval without a
   * word (P-APR-5), or a tool says so.
   */
  readonly stopped: boolean;
  /** Calls the hooks that clients subscribed; nothing happens where there are none. */
  readonly hooks: TurnHooks;
  /** Tells every client an event. Without effect once the turn is cancelled. */
  emit<T extends EventType>(type: T, payload: Payload<T>): void;
  /** Tells every client a piece of text. */
  say(text: string): void;
  /**
   * Begins the next step and returns its number, from 1.
   *
   * @throws MaxStepsReached at the limit; let it through.
   */
  step(): number;
  /** Takes what was said since (`steer`), and tells the clients that it is taken: read it after each step (P-STR-2). */
  takeSteers(): UserInput[];
  /**
   * Runs a tool call: tells the clients of the call, unless `announced`, and of its result.
   *
   * @param call arguments as a value, or as a call that the model made.
   * @throws the abort's reason when the turn is cancelled meanwhile.
   */
  callTool(
    tool: Tool,
    call: ToolCall | Record<string, unknown>,
    options?: { announced?: boolean },
  ): Promise<ToolReturnValue>;
  /** Resolves once every client has taken most of what it was sent: await it between many events. */
  drained(): Promise<void>;
}

/** The limit of steps was reached: the turn ends with that status. */
export class MaxStepsReached extends Error {
  override readonly name = "MaxStepsReached";
  readonly steps: number;

  constructor(steps: number) {
    super(`the limit of ${steps} steps is reached`);
    this.steps = steps;
  }
}

/** What every turn needs of its session, or a sub-agent's of the turn that it is part of. */
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
  /** Whether a sub-agent may ask the person. */
  readonly subagentQuestions: boolean;
}

/** What one turn is made of. */
export interface TurnInit {
  readonly id: string;
  readonly input: UserInput;
  readonly host: TurnHost;
  readonly wire: Wire;
  readonly signal: AbortSignal;
  readonly scope: Scope;
  /** Registers and sends a request that lies in a scope. */
  open(request: AnyInteraction, scope: Scope): void;
  /** Gives up what is still open in a scope. */
  settle(scope: Scope): void;
  readonly hooks: TurnHooks;
  /** Counted on by a turn that goes on with another input. */
  readonly progress: { steps: number };
  /** Whether it is to end after its step, and what makes it so. */
  readonly stopping: { stopped: boolean };
  takeSteers(): UserInput[];
  /** Writes an exception in a tool to the log, with its place. */
  exception(error: unknown, toolCall: ToolCall, place?: { readonly subagent: string }): void;
  /** Sub-agents in sub-agents; 0 for a turn of the session. */
  readonly depth: number;
}

/** Makes the agent's view of a turn. */
export function createTurn(init: TurnInit): Turn {
  const { host, signal, progress, hooks } = init;

  /** Why a hook keeps a call from being run; undefined: none does. */
  async function blocked(toolCall: ToolCall): Promise<ToolReturnValue | undefined> {
    const verdict = await hooks.run("PreToolUse", { toolCall });
    signal.throwIfAborted();
    return verdict.action === "block" ? blockedByHook(verdict.reason) : undefined;
  }

  async function run(tool: Tool, toolCall: ToolCall): Promise<ToolReturnValue> {
    const context = {
      signal,
      unattended: host.unattended(),
      planMode: host.planMode(),
      setPlanMode: host.setPlanMode,
      stopTurn: () => {
        init.stopping.stopped = true;
      },
      emit: ({ type, payload }: WireEventInput) => turn.emit(type, payload as Payload<typeof type>),
      subagent: (subagent: Subagent): Promise<SubagentEnding> =>
        mayBeLeft(runSubagent(init, turn, toolCall, subagent)),
    };
    try {
      return cutToFit(await unlessAborted(tool.call(toolCall, context, init.wire), signal));
    } catch (error) {
      if (signal.aborted) throw error;
      if (!isToldFailure(error)) init.exception(error, toolCall);
      return failedCall(error);
    }
  }

  async function callTool(
    tool: Tool,
    call: ToolCall | Record<string, unknown>,
    { announced = false }: { announced?: boolean } = {},
  ): Promise<ToolReturnValue> {
    signal.throwIfAborted();
    const toolCall = isToolCall(call) ? call : newToolCall(tool.name, call);
    if (!announced) turn.emit("ToolCall", toolCall);
    const instead = hooks.has("PreToolUse") ? await blocked(toolCall) : undefined;
    const value = instead ?? (await run(tool, toolCall));
    turn.emit("ToolResult", { tool_call_id: toolCall.id, return_value: value });
    // What was not run has neither succeeded nor failed.
    if (instead !== undefined) return value;
    const after = value.is_error ? "PostToolUseFailure" : "PostToolUse";
    if (hooks.has(after)) await hooks.run(after, { toolCall, value });
    return value;
  }

  const turn: Turn = {
    id: init.id,
    input: init.input,
    signal,
    wire: init.wire,
    hooks,
    get stopped() {
      return init.stopping.stopped;
    },
    dialectTools: host.dialectTools,
    get offer() {
      return host.offer();
    },
    get externalTools() {
      return host.externalTools();
    },
    get planMode() {
      return host.planMode();
    },
    get unattended() {
      return init.depth === 0 && host.unattended();
    },
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
    callTool: (tool, call, options) => mayBeLeft(callTool(tool, call, options)),
    drained: host.drained,
  };
  return turn;
}

/** Runs the agent where its `wireSend` finds this turn's wire. */
export function runTurn<T>(turn: Turn, action: () => T): T {
  return runInContext({ wire: turn.wire }, action);
}

/** Waits for `work`, but no longer than until the signal: then it throws the signal's reason. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** Whoever started this may have ended meanwhile, with its turn: what then fails unheard must not end the process. */
function mayBeLeft<T>(work: Promise<T>): Promise<T> {
  work.catch(() => {});
  return work;
}

/** What aborts a turn. Each call of a tool listens to it, and there may be many. */
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
