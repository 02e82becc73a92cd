import type { ToolCall, ToolReturnValue } from "@askwire/protocol";
import type { ToolError } from "../requests/tool-error.js";
import type { ToolReturn, ToolRun } from "./agent.js";
import { allowedWords } from "./allowed-words.js";
import { runInCall } from "./context.js";
import { failedCall, isToldFailure, toReturnValue } from "./tool-result.js";
import type { Wire } from "./wire.js";

/** The values that a tool's function may return. */
export type Returned = string | ToolReturn | ToolError;

/**
 * Runs a call in a place where `wireSend` and `currentToolCall` find it.
 *
 * @throws exceptions of `work`. A ToolError, and any error of a wait for the person, becomes the result (P-OUT-7).
 */
export async function runTool(
  toolCall: ToolCall,
  run: Omit<ToolRun, "toolCall">,
  wire: Wire,
  work: (run: ToolRun) => Returned | Promise<Returned>,
): Promise<ToolReturnValue> {
  const words = allowedWords(wire);
  try {
    return words.added(
      toReturnValue(await runInCall({ wire: words.wire, toolCall }, () => work({ ...run, toolCall }))),
    );
  } catch (error) {
    if (run.signal.aborted || !isToldFailure(error)) throw error;
    return words.added(failedCall(error));
  }
}
