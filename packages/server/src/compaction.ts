import { readFileSync } from "node:fs";
import type { Conversation } from "./conversation.js";
import { type Message, type Model, ModelError } from "./model.js";
import type { Turn } from "./turn.js";

const instruction = readFileSync(new URL("./prompts/compaction.md", import.meta.url), "utf8");

/** The part of a model's context that may be used before a conversation is compacted by itself. */
const FULL = 0.85;

/** Whether the next step might not fit into the model's context. */
export function needsCompaction(conversation: Conversation, model: Model): boolean {
  const { maxContextTokens } = model;
  return maxContextTokens !== undefined && conversation.tokens > maxContextTokens * FULL;
}

/**
 * Replaces a conversation by the model's own summary of it. A hook may keep it as it is (P-CMP-1, P-CMP-2).
 *
 * @returns whether there was anything to replace, and no hook kept it.
 * @param keepLast whether the last message stays as it is, with the calls that it belongs to. Default: false.
 * @throws ModelError for what the provider did; the conversation is then as it was.
 */
export async function compact(
  turn: Turn,
  model: Model,
  conversation: Conversation,
  trigger: "manual" | "auto",
  keepLast = false,
): Promise<boolean> {
  const { hooks, signal } = turn;
  const { messages } = conversation;
  const end = keepLast ? messages.findLastIndex(({ role }) => role !== "tool") : messages.length;
  const old = messages.slice(0, end);
  const kept = messages.slice(end);
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
    conversation.replace([{ role: "user", content: `What happened before:\n\n${summary}` }, ...kept]);
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
