import type { ToolCall, ToolReturnValue } from "@askwire/protocol";
import type { Message } from "./model.js";

const INTERRUPTED =
  "The process that ran this call ended before its result was kept. Whether the call had an effect is not known.";

/** The progress of a call at the end of its process. */
export type CallProgress = "started" | "waiting" | "approved";

const LEFT: Readonly<Record<CallProgress, string>> = {
  started:
    "The process that ran this call ended before its result was kept. It may have had its effect, in part or whole: look before you call it again.",
  waiting:
    "The process that ran this call ended while this call waited for the person's approval; it was not approved and did nothing after asking.",
  approved:
    "The person approved this call, then the process ended: whether it was done is not known. Look first; do not ask for the same approval unless it was not done.",
};

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

/** The result of a call that its process left and that does not run again (P-RES-5). */
export const leftCall = (progress: CallProgress): ToolReturnValue => ({
  ...interruptedResult,
  message: LEFT[progress],
});

const interrupted = (id: string): ToolMessage => ({
  role: "tool",
  tool_call_id: id,
  result: interruptedResult,
});
