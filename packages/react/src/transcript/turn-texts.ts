import type { Entry, EntryOf } from "./entries.js";

/** The last words of the agent before each end of a turn, by the key of the end. */
export function wordsAtEnds(entries: readonly Entry[]): ReadonlyMap<number, string> {
  const words = new Map<number, string>();
  let said = "";
  for (const entry of entries) {
    if (entry.kind === "prompt") said = "";
    if (entry.kind === "text") said = entry.text;
    if (entry.kind === "end") words.set(entry.key, said);
  }
  return words;
}

/** A turn that failed, at the end of a conversation, and the words that it was asked by. Undefined for other ends. */
export function failedLast(
  entries: readonly Entry[],
): { readonly key: number; readonly prompt: string } | undefined {
  const last = entries.at(-1);
  if (last === undefined || !isFailure(last)) return undefined;
  const prompt = entries.findLast((entry): entry is EntryOf<"prompt"> => entry.kind === "prompt");
  const [text] = prompt?.said ?? [];
  // Pictures of a prompt are not kept here, nor the rest of a very long one.
  const isWhole = prompt?.said.length === 1 && typeof text === "string" && !text.endsWith("…") && text !== "";
  return isWhole ? { key: last.key, prompt: text } : undefined;
}

/** True for the end of a turn that failed. */
export const isFailure = (entry: Entry): boolean =>
  entry.kind === "note" && entry.event.type === "TurnEnd" && entry.event.payload.status === "failed";
