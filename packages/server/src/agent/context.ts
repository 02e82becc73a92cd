import { AsyncLocalStorage } from "node:async_hooks";
import { LocalError, type ToolCall } from "@askwire/protocol";
import type { AnyInteraction } from "../requests/core.js";

/** The way of a running tool or agent to its clients. */
export interface Wire {
  /** Registers a request and sends it to every client that can show it. Returns at once. */
  send(request: AnyInteraction): void;
}

interface Context {
  readonly wire: Wire;
  readonly toolCall?: ToolCall;
}

const storage = new AsyncLocalStorage<Context>();

/** Runs `action` so that it, and all that it starts, finds this wire and tool call. */
export function runInContext<T>(context: Context, action: () => T): T {
  return storage.run(context, action);
}

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
  if (wire === undefined) throw new LocalError("INVALID_STATE", "wireSend: called outside a turn");
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
