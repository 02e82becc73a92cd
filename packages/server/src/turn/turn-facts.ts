import type { ToolCall, ToolResult, ToolReturnValue } from "@askwire/protocol";
import type { ResumedTurn, ToldEvent } from "../agent/agent.js";
import type { CallProgress } from "../agent/interrupted-calls.js";
import type { CallPlace } from "../requests/interaction.js";

/** The records that earlier processes left of a turn. */
export interface TurnRecords {
  /** The events that clients were told, from TurnBegin on. */
  readonly events: readonly ToldEvent[];
  /** The calls that were started. */
  readonly started: readonly CallPlace[];
  /** The results of `turn.once`; undefined for work that was begun and not done. */
  readonly once: ReadonlyMap<string, { readonly value: unknown } | undefined>;
}

/** The facts of a turn that earlier processes left, found by the names of calls and never by their order. */
export interface TurnFacts {
  /** The number of steps that clients were told of. */
  readonly steps: number;
  /** True if clients were told of the call. */
  isTold(place: CallPlace): boolean;
  /** True if the call was started. */
  isStarted(place: CallPlace): boolean;
  /** The result that clients were told. */
  result(place: CallPlace): ToolReturnValue | undefined;
  /** The result of work under a key; undefined if it was not begun, or not done. */
  done(key: string): { readonly value: unknown } | undefined;
  /** True if work under the key was begun. */
  isBegun(key: string): boolean;
}

/** Finds the facts among the records. */
export function turnFacts({ events, started, once }: TurnRecords): TurnFacts {
  const calls = new Map<string, ToldCall[]>();
  const begun = new Set(started.map(nameOf));
  let steps = 0;
  for (const { type, payload } of events) {
    if (type === "StepBegin") steps = Math.max(steps, (payload as { n: number }).n);
    // A call without a result at the end of its step was left out of it.
    if (type === "StepBegin" || type === "StepRetry") {
      for (const told of calls.values()) for (const call of told) call.isOver = true;
    }
    if (type === "ToolCall") {
      const { id } = payload as ToolCall;
      const told = calls.get(id) ?? [];
      told.push({ isOver: false, result: undefined });
      calls.set(id, told);
    }
    if (type === "ToolResult") {
      const { tool_call_id, return_value } = payload as ToolResult;
      const call = calls.get(tool_call_id)?.find(({ isOver }) => !isOver);
      if (call !== undefined) Object.assign(call, { isOver: true, result: return_value });
    }
  }
  return {
    steps,
    isTold: ({ callId, nth }) => (calls.get(callId)?.length ?? 0) >= nth,
    isStarted: (place) => begun.has(nameOf(place)),
    result: ({ callId, nth }) => calls.get(callId)?.[nth - 1]?.result,
    done: (key) => once.get(key),
    isBegun: (key) => once.has(key),
  };
}

interface ToldCall {
  isOver: boolean;
  result: ToolReturnValue | undefined;
}

/** The part of a turn that outlives its process. */
export interface TurnMemory {
  readonly facts: TurnFacts;
  /** Undefined in the process that began the turn. */
  readonly resumed: ResumedTurn | undefined;
  /** True if an answer, or a policy, let the call continue before its process ended. */
  isPast(place: CallPlace): boolean;
  /** True for a call whose question in the background was left. */
  asksInBackground(place: CallPlace): boolean;
  /** Gives up the requests of a call that does not run again. Returns how far the call had come. */
  giveUp(place: CallPlace): CallProgress;
  /** Records that the work under a key begins. Resolves once that is safe. */
  begin(key: string): Promise<void> | undefined;
  /**
   * Records the result of the work under a key. Resolves once that is safe.
   *
   * @throws TypeError for a value that is no JSON.
   */
  end(key: string, value: unknown): Promise<void> | undefined;
}

const nameOf = ({ callId, nth }: CallPlace) => `${nth} ${callId}`;
