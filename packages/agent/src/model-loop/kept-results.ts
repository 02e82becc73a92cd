import type { ContentPart, ToolCall } from "@askwire/protocol";
import type { InText, Message, ModelPart, Tool } from "@askwire/server";

/**
 * Finds the parts of a conversation that survive compaction word for word, by place (P-DIA-8). Each result of a tool
 * with `keepsResult` stays, with its call and without the other calls of its step. For a call in the text, the model's
 * words of that step stay, and the results that it read.
 */
export async function keptResults(
  messages: readonly Message[],
  tools: readonly Tool[],
): Promise<Map<number, Message>> {
  const keeping = tools.filter(({ keepsResult }) => keepsResult === true);
  const names = new Set(keeping.map(({ name }) => name));
  const kept = new Map<number, Message>();
  for (const [at, message] of messages.entries()) {
    if (message.role === "user" && message.kept === true) kept.set(at, message);
    if (message.role !== "assistant") continue;
    const { calls, results, end } = keptCalls(message.tool_calls, messages, at + 1, names);
    const isWritten = messages[end]?.role === "user" && (await hasWritten(message.content, keeping));
    if (calls.length === 0 && !isWritten) continue;
    const content = isWritten ? message.content.filter(({ type }) => type === "text") : [];
    kept.set(at, { role: "assistant", content, tool_calls: calls });
    for (const place of isWritten ? [...results, end] : results) kept.set(place, messages[place] as Message);
  }
  return kept;
}

/** The calls of a step that have these names, and where their results are, which follow it up to `end`. */
function keptCalls(
  made: readonly ToolCall[],
  messages: readonly Message[],
  from: number,
  names: ReadonlySet<string>,
): { calls: ToolCall[]; results: number[]; end: number } {
  const open = [...made];
  const calls: ToolCall[] = [];
  const results: number[] = [];
  for (let at = from; ; at += 1) {
    const message = messages[at];
    if (message?.role !== "tool") return { calls, results, end: at };
    // Two calls may have the same id, so a result takes away one of them.
    const [call] = open.splice(indexOrEnd(open, message.tool_call_id), 1);
    if (call === undefined || !names.has(call.function.name)) continue;
    calls.push(call);
    results.push(at);
  }
}

function indexOrEnd(calls: readonly ToolCall[], id: string): number {
  const index = calls.findIndex((call) => call.id === id);
  return index === -1 ? calls.length : index;
}

/** True if a step called one of these tools in its text. */
async function hasWritten(content: readonly ContentPart[], tools: readonly Tool[]): Promise<boolean> {
  for (const { name, inText } of tools) {
    if (inText !== undefined && (await isCalledIn(content, name, inText))) return true;
  }
  return false;
}

async function isCalledIn(content: readonly ContentPart[], name: string, { read }: InText): Promise<boolean> {
  for await (const part of read(spoken(content))) {
    if (part.type === "tool_call" && part.call.function.name === name) return true;
  }
  return false;
}

/** The words of a model, as it streams them. */
export async function* spoken(content: readonly ContentPart[]): AsyncGenerator<ModelPart> {
  for (const part of content) yield { type: "content", part };
}
