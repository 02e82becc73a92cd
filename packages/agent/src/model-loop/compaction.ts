import { type Message, type Model, ModelError, type Tool, type Turn } from "@askwire/server";
import type { ModelMemory } from "./conversation.js";
import { keptResults } from "./kept-results.js";
import { compaction as instruction } from "./prompts.js";

/** The part of a model's context that may be used before a conversation is compacted by itself. */
const FULL = 0.85;
/**
 * The growth before the next compaction, as a part of the context. The kept messages may fill the context by
 * themselves.
 */
const GROWN = 0.05;

/** True if the next step might not fit into the model's context, and a compaction may help (P-CMP-1, P-CMP-3). */
export function needsCompaction({ tokens, grown }: ModelMemory, model: Model): boolean {
  const { maxContextTokens: max } = model;
  return max !== undefined && tokens > max * FULL && grown > max * GROWN;
}

/**
 * Replaces a conversation by the model's own summary, and keeps the results of tools that ask for it (P-CMP-1, P-CMP-2,
 * P-DIA-8). A hook may prevent that.
 *
 * @returns true if a conversation was replaced, false if it was empty or a hook kept it.
 * @param tools the tools whose results may have to stay.
 * @param keepLast set if the last message stays unchanged, with its calls. Default: false.
 * @throws ModelError for a failure of the provider; the conversation then stays unchanged.
 */
export async function compact(
  turn: Turn,
  model: Model,
  conversation: ModelMemory,
  tools: readonly Tool[],
  trigger: "manual" | "auto",
  keepLast = false,
): Promise<boolean> {
  const { hooks, signal } = turn;
  const { messages } = conversation;
  const end = keepLast ? messages.findLastIndex(({ role }) => role !== "tool") : messages.length;
  const old = messages.slice(0, end);
  const last = messages.slice(end);
  if (old.length === 0) return false;
  if (hooks.has("PreCompact")) {
    const verdict = await hooks.run("PreCompact", { trigger, tokenCount: conversation.tokens });
    if (verdict.action === "block") return false;
  }
  turn.emit("CompactionBegin", {});
  try {
    const summary = await summarize(model, old, signal);
    signal.throwIfAborted();
    if (summary.trim() === "") throw new ModelError("empty", "the model gave no summary");
    const kept = [...(await keptResults(messages, tools))].filter(([at]) => at < end);
    signal.throwIfAborted();
    conversation.shorten([
      { role: "user", content: `What happened before:\n\n${summary}` },
      ...kept.map(([, message]) => message),
      ...last,
    ]);
  } finally {
    turn.emit("CompactionEnd", {});
  }
  if (hooks.has("PostCompact"))
    await hooks.run("PostCompact", { trigger, estimatedTokenCount: conversation.tokens });
  return true;
}

async function summarize(model: Model, old: readonly Message[], signal: AbortSignal): Promise<string> {
  let summary = "";
  const messages: Message[] = [...old, { role: "user", content: instruction }];
  for await (const part of model.stream({ messages, tools: [], signal })) {
    if (part.type === "content" && part.part.type === "text") summary += part.part.text;
  }
  return summary;
}
