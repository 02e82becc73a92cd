import type { ToolCall, ToolReturnValue } from "@askwire/protocol";
import type { InText, Message, ModelPart, Tool } from "@askwire/server";
import { interruptedResult } from "@askwire/server/internal";
import type { ModelMemory } from "./conversation.js";
import { spoken } from "./kept-results.js";
import { extend, inTextOf, resultMessages } from "./model-step.js";

/**
 * Completes the conversation of an earlier process, before anything is added to it: each call that was left open gets
 * the result that its tool has for that, or an error that says why (P-JRN-11). A history knows no tools, and does not
 * know calls in the text as calls.
 */
export async function completeLeftCalls(conversation: ModelMemory, tools: readonly Tool[]): Promise<void> {
  if (conversation.isComplete) return;
  conversation.isComplete = true;
  const result: ResultOf = ({ function: { name } }) =>
    tools.find((tool) => tool.name === name)?.interrupted ?? interruptedResult;
  conversation.replaceResults(interruptedResult, result);
  conversation.add(...(await interruptedResults(conversation.messages, tools, result)));
}

type ResultOf = (call: ToolCall) => ToolReturnValue;

async function interruptedResults(
  messages: readonly Message[],
  tools: readonly Tool[],
  result: ResultOf,
): Promise<Message[]> {
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
  return resultMessages(calls.map((one) => ({ ...one, result: result(one.call) })));
}
