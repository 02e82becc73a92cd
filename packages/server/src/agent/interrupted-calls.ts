import type { ToolCall, ToolReturnValue } from "@askwire/protocol";
import type { Message } from "./model.js";

const INTERRUPTED =
  "The process that ran this call ended before its result was kept. Whether the call had an effect is not known.";

type ToolMessage = Extract<Message, { role: "tool" }>;

/**
 * Makes a conversation that a provider accepts (P-JRN-11): each tool call is followed by its result. A call without a
 * result gets an error that says why. A result without a call is left out.
 */
export function completeCalls(messages: readonly Message[]): Message[] {
  const complete: Message[] = [];
  for (let at = 0; at < messages.length; at += 1) {
    const message = messages[at] as Message;
    if (message.role === "tool") continue;
    complete.push(message);
    if (message.role === "assistant") complete.push(...resultsOf(message.tool_calls, messages, at + 1));
  }
  return complete;
}

/** The results after a model's message, in their order; then the missing results. */
function resultsOf(calls: readonly ToolCall[], messages: readonly Message[], from: number): ToolMessage[] {
  const missing = calls.map(({ id }) => id);
  const results: ToolMessage[] = [];
  for (let at = from; messages[at]?.role === "tool"; at += 1) {
    const result = messages[at] as ToolMessage;
    // Two calls may have the same id, so a result takes away one of them.
    const index = missing.indexOf(result.tool_call_id);
    if (index === -1) continue;
    missing.splice(index, 1);
    results.push(result);
  }
  return [...results, ...missing.map(interrupted)];
}

/** The result of a call about which nothing else is known. */
export const interruptedResult: ToolReturnValue = {
  is_error: true,
  output: "",
  message: INTERRUPTED,
  display: [],
  extras: null,
};

const interrupted = (id: string): ToolMessage => ({
  role: "tool",
  tool_call_id: id,
  result: interruptedResult,
});
