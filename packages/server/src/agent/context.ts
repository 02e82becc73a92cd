import { AsyncLocalStorage } from "node:async_hooks";
import { LocalError, type ToolCall } from "@askwire/protocol";
import type { AnyInteraction } from "../requests/core.js";
import type { Turn } from "./agent.js";
import type { Wire } from "./wire.js";

interface Context {
  readonly wire: Wire;
  readonly turn?: Turn;
  readonly toolCall?: ToolCall;
}

const storage = new AsyncLocalStorage<Context>();

/** Runs `action` so that it, and all that it starts, finds this wire, this turn and this tool call. */
export function runInContext<T>(context: Context, action: () => T): T {
  return storage.run(context, action);
}

/** Runs `action` in the place around this code, with the wire and the tool call of a call in its turn. */
export function runInCall<T>(call: Required<Pick<Context, "wire" | "toolCall">>, action: () => T): T {
  return storage.run({ ...storage.getStore(), ...call }, action);
}

/** Finds the place in a turn that this code runs in: its tool call, or itself; undefined outside of this turn. */
export function currentPlace(turn: Turn): Context | undefined {
  const context = storage.getStore();
  return context?.turn?.id === turn.id ? context : undefined;
}

/**
 * The turn around this code.
 *
 * @throws LocalError INVALID_STATE outside a turn.
 */
export function currentTurn(caller: string): Turn {
  const turn = storage.getStore()?.turn;
  if (turn === undefined) throw outsideTurn(caller);
  return turn;
}

const outsideTurn = (caller: string) =>
  new LocalError(
    "INVALID_STATE",
    `${caller}: called outside a turn: call it in \`run\` of the agent or of a tool, or in code that they await`,
  );

/** Finds the wire of the turn around this code; undefined outside a turn. */
export function getWire(): Wire | undefined {
  return storage.getStore()?.wire;
}

/** Finds the tool call around this code; undefined outside a call. */
export function getToolCall(): ToolCall | undefined {
  return storage.getStore()?.toolCall;
}

/**
 * Sends a request to the person. Await its `wait()` for the answer.
 *
 * @throws LocalError INVALID_STATE outside a turn.
 */
export function wireSend(request: AnyInteraction): void {
  const wire = getWire();
  if (wire === undefined) throw outsideTurn("wireSend");
  wire.send(request);
}

/**
 * The tool call that this code runs in.
 *
 * @throws LocalError INVALID_STATE outside a tool call.
 */
export function currentToolCall(): ToolCall {
  const toolCall = getToolCall();
  if (toolCall === undefined) {
    throw new LocalError("INVALID_STATE", "currentToolCall: called outside a tool call");
  }
  return toolCall;
}
