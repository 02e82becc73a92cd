import type { Entry, EntryOf } from "./entries.js";
import { inJson } from "./in-json.js";

/**
 * The entries without the calls whose questions stand in the conversation by themselves (L-43): a question, its answer
 * and the result of its call are one fact. A call that did more, as one with other arguments or output, stays.
 */
export function withoutAskedCalls(entries: readonly Entry[]): readonly Entry[] {
  const calls = new Map<string, EntryOf<"call">>();
  const told = new Set<Entry>();
  for (const entry of entries) {
    if (entry.kind === "call") calls.set(entry.id, entry);
    if (entry.kind !== "asked" || entry.callId === undefined) continue;
    const call = calls.get(entry.callId);
    if (call !== undefined && saysNoMore(call, entry)) told.add(call);
  }
  return told.size === 0 ? entries : entries.filter((entry) => !told.has(entry));
}

/** True for a call whose arguments are the questions, and that shows at most a line about their end. */
function saysNoMore({ args, inner, result }: EntryOf<"call">, { about }: EntryOf<"asked">): boolean {
  const isQuestion = about.length > 0 && about.every((text) => args.includes(inJson(text)));
  return isQuestion && inner.length === 0 && (result?.display ?? []).every(({ type }) => type === "brief");
}
