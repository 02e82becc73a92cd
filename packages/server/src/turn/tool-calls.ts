import type { ToolCall, ToolReturnValue, WireEventInput } from "@askwire/protocol";
import type { CallOptions, Payload, Subagent, TakesLater, Tool, ToolRun, Turn } from "../agent/agent.js";
import { runInContext } from "../agent/context.js";
import { leftCall } from "../agent/interrupted-calls.js";
import { MissingTool } from "../agent/missing-tool.js";
import { blockedByHook, failedCall, isToldFailure, unkeptCall } from "../agent/tool-result.js";
import type { Wire } from "../agent/wire.js";
import type { CallPlace } from "../requests/interaction.js";
import { unlessAborted } from "../runtime/clock.js";
import { mayBeLeft } from "../runtime/may-be-left.js";
import { namedUuid } from "../runtime/named-uuid.js";
import { uuid } from "../runtime/uuid.js";
import { cutToFit } from "./tool-output.js";
import type { TurnInit } from "./turn-init.js";

/** A tool call at its place in the turn. */
interface PlacedCall {
  readonly tool: Tool;
  readonly toolCall: ToolCall;
  readonly place: CallPlace;
  readonly later: TakesLater | undefined;
}

/** The tool calls of a turn: tells clients of them, runs them, and finds what earlier processes left of them. */
export class ToolCalls {
  readonly #init: TurnInit;
  readonly #turn: Turn;

  constructor(init: TurnInit, turn: Turn) {
    this.#init = init;
    this.#turn = turn;
  }

  /** Runs a call, as `Turn.callTool` says. */
  async call(
    tool: Tool,
    given: ToolCall | Record<string, unknown>,
    { announced = false, later, key, nth, relayed = false }: CallOptions = {},
  ): Promise<ToolReturnValue> {
    const { id, memory, signal } = this.#init;
    signal.throwIfAborted();
    const callId = key === undefined ? undefined : namedUuid(JSON.stringify([id, key]));
    const toolCall = isToolCall(given) ? given : newToolCall(tool.name, given, callId);
    const place = this.#placeOf(toolCall.id, nth);
    const call = { tool, toolCall, place, later };
    if (relayed) return this.#run(call);
    const done = memory?.facts.result(place);
    if (done !== undefined) {
      this.#askOn(call);
      return done;
    }
    if (!announced && memory?.facts.isTold(place) !== true) this.#turn.emit("ToolCall", toolCall);
    const left = this.#leftResult(call);
    if (left !== undefined) return this.#told(toolCall, left);
    return tool instanceof MissingTool ? this.#told(toolCall, await this.#run(call)) : this.#runHooked(call);
  }

  /** The place of the next call with this id. */
  #placeOf(callId: string, given: number | undefined): CallPlace {
    const { progress } = this.#init;
    progress.calls ??= new Map();
    const nth = given ?? (progress.calls.get(callId) ?? 0) + 1;
    progress.calls.set(callId, nth);
    return { callId, nth };
  }

  /** The result of a call that its process left and that must not run again (P-RES-5). */
  #leftResult({ tool: { restart = "interrupt" }, toolCall, place }: PlacedCall): ToolReturnValue | undefined {
    const { memory } = this.#init;
    if (memory?.facts.isStarted(place) !== true) return undefined;
    const way = typeof restart === "function" ? restart(toolCall) : restart;
    const runs = way === "again" || (way === "asks-first" && !memory.isPast(place));
    return runs ? undefined : leftCall(memory.giveUp(place));
  }

  /** Takes up the question of a call whose result was told before the answer. */
  #askOn(call: PlacedCall): void {
    const { tool, toolCall, place, later } = call;
    if (later === undefined || this.#init.memory?.asksInBackground(place) !== true) return;
    let isLater = false;
    const takesLater: TakesLater = (late) => {
      isLater = true;
      later(late);
    };
    const told = this.#run({ ...call, later: takesLater }).then((value) => {
      // An answer that is there already is the tool's result at once.
      if (!isLater) later({ callId: toolCall.id, what: tool.name, result: Promise.resolve(value) });
    });
    void mayBeLeft(told);
  }

  async #runHooked(call: PlacedCall): Promise<ToolReturnValue> {
    const { hooks } = this.#init;
    const { toolCall } = call;
    const instead = hooks.has("PreToolUse") ? await this.#blocked(toolCall) : undefined;
    const value = this.#told(toolCall, instead ?? (await this.#run(call)));
    // A call that did not run has neither succeeded nor failed.
    if (instead !== undefined) return value;
    const after = value.is_error ? "PostToolUseFailure" : "PostToolUse";
    if (hooks.has(after)) await hooks.run(after, { toolCall, value });
    return value;
  }

  /** The result of a call that a hook blocks; undefined if no hook does. */
  async #blocked(toolCall: ToolCall): Promise<ToolReturnValue | undefined> {
    const verdict = await this.#init.hooks.run("PreToolUse", { toolCall });
    this.#init.signal.throwIfAborted();
    return verdict.action === "block" ? blockedByHook(verdict.reason) : undefined;
  }

  #told({ id }: ToolCall, value: ToolReturnValue): ToolReturnValue {
    this.#turn.emit("ToolResult", { tool_call_id: id, return_value: value });
    return value;
  }

  async #run({ tool, toolCall, place, later }: PlacedCall): Promise<ToolReturnValue> {
    const { memory, signal, startCall } = this.#init;
    const running = { ended: false };
    const context = this.#contextOf(toolCall, later, running);
    if (startCall !== undefined) {
      const mayRun = memory?.facts.isStarted(place) || (await unlessAborted(startCall(place), signal));
      if (!mayRun) return unkeptCall();
    }
    try {
      const itsWire = this.#wireOf(place);
      const running = runInContext({ wire: itsWire, turn: this.#turn, toolCall }, () =>
        tool.call(toolCall, context, itsWire),
      );
      return cutToFit(await unlessAborted(running, signal));
    } catch (error) {
      if (signal.aborted) throw error;
      if (!isToldFailure(error)) this.#init.exception(error, toolCall);
      return failedCall(error);
    } finally {
      running.ended = true;
    }
  }

  #contextOf(
    toolCall: ToolCall,
    later: TakesLater | undefined,
    running: { readonly ended: boolean },
  ): Omit<ToolRun, "toolCall"> {
    const { host, signal, stopping, runSubagent } = this.#init;
    return {
      later,
      signal,
      unattended: host.unattended(),
      planMode: host.planMode(),
      setPlanMode: host.setPlanMode,
      printed: (text) => {
        if (!running.ended && !signal.aborted) host.output.printed(toolCall.id, text);
      },
      stopTurn: () => {
        stopping.stopped = true;
      },
      emit: ({ type, payload }: WireEventInput) => this.#turn.emit(type, payload as Payload<typeof type>),
      subagent: (subagent: Subagent) => mayBeLeft(runSubagent(this.#init, this.#turn, toolCall, subagent)),
    };
  }

  /** The wire of a call, by which its requests are found again. */
  #wireOf({ callId, nth }: CallPlace): Wire {
    const { id: turnId, startCall, wire } = this.#init;
    return {
      send(request) {
        if (startCall !== undefined || request.key !== undefined) request.place ??= { turnId, callId, nth };
        wire.send(request);
      },
    };
  }
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
