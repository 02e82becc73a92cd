import type { ToolCall } from "@askwire/protocol";
import type { InText, Message, ModelPart, Tool } from "@askwire/server";
import { interruptedResult } from "@askwire/server/internal";
import type { ModelMemory } from "./conversation.js";
import { spoken } from "./kept-results.js";
import { extend, inTextOf, resultMessages } from "./model-step.js";

/**
 * Completes the conversation of an earlier process, before anything is added to it: calls in the text that were left
 * open get a result (P-JRN-11), an error that says why. A history does not know these as calls.
 */
export async function completeTextCalls(conversation: ModelMemory, tools: readonly Tool[]): Promise<void> {
  if (conversation.isComplete) return;
  conversation.isComplete = true;
  conversation.add(...(await interruptedResults(conversation.messages, tools)));
}

async function interruptedResults(messages: readonly Message[], tools: readonly Tool[]): Promise<Message[]> {
  const last = messages.findLast(({ role }) => role !== "tool");
  const ways = inTextOf(tools);
  if (last?.role !== "assistant" || ways.length === 0) return [];
  const calls: { readonly call: ToolCall; readonly inText: InText }[] = [];
  const said: AsyncIterable<ModelPart> = spoken(last.content);
  for await (const part of ways.reduce((read, inText) => inText.read(read), said)) {
    if (part.type === "tool_call" && part.inText !== undefined) {
      calls.push({ call: { ...part.call, function: { ...part.call.function } }, inText: part.inText });
    }
    const begun = calls.at(-1);
    if (part.type === "tool_call_part" && begun !== undefined) extend(begun.call, part.arguments_part);
  }
  return resultMessages(calls.map((call) => ({ ...call, result: interruptedResult })));
}
