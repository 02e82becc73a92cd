import type { UserInput } from "@askwire/protocol";
import type { Entry, Said } from "./entries.js";

/** The most characters of one text: the rest is left out. */
const MOST_TEXT = 262_144;

type Entries = readonly Entry[];
type WithoutKey<E> = E extends Entry ? Omit<E, "key"> : never;

/** The entries with one more, after which no earlier text grows. */
export const added = (entries: Entries, entry: WithoutKey<Entry>): Entries => [
  ...withoutGrowth(entries),
  { ...entry, key: (entries.at(-1)?.key ?? 0) + 1 } as Entry,
];

/** The entries with the last one that is meant changed; as they are where none is. */
export function changed<E extends Entry>(
  entries: Entries,
  isMeant: (entry: Entry) => entry is E,
  change: (entry: E) => Entry,
): Entries {
  const at = entries.findLastIndex(isMeant);
  return at === -1 ? entries : entries.with(at, change(entries[at] as E));
}

/** The entries with no text at the end that would grow. */
export function withoutGrowth(entries: Entries): Entries {
  const last = entries.at(-1);
  return last?.isOpen === true ? entries.with(-1, { ...last, isOpen: false }) : entries;
}

/** A text up to its bound. */
export const bounded = (text: string): string =>
  text.length <= MOST_TEXT ? text : `${text.slice(0, MOST_TEXT)}…`;

/** Reads the words of a person, or the output of a tool. */
export const saidByInput = (input: UserInput): Said =>
  typeof input === "string"
    ? [bounded(input)]
    : input.map((part) => (part.type === "text" ? bounded(part.text) : { part: part.type }));
