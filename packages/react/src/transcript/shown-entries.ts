import type { DisplayBlock } from "@askwire/protocol";
import { commandsInCalls } from "./commands-in-calls.js";
import type { Entry, EntryOf } from "./entries.js";
import { withoutAskedCalls } from "./without-asked-calls.js";

/** The entries as they are drawn, and the to-do list that counts now. */
export interface ShownEntries {
  readonly entries: readonly Entry[];
  /** The key of the last call that shows a to-do list. Undefined without any. */
  readonly lastTodo: number | undefined;
  /** The keys of the approvals whose command the row of a call says. */
  readonly told: ReadonlySet<number>;
}

/** A to-do list, as a tool shows it. */
export type Todo = Extract<DisplayBlock, { items: unknown }>;

/**
 * The entries as they are drawn: a question, its call and its answer are one row, and so are the calls of a turn that
 * do nothing but set the to-do list. That row stands where the turn set the list first, with the list as it is now.
 *
 * @param openCards the ids of requests that are not drawn until they are settled. Default: none.
 */
export function shownEntries(all: readonly Entry[], openCards: readonly string[] = []): ShownEntries {
  const entries: Entry[] = [];
  let at: number | undefined;
  let lastTodo: number | undefined;
  for (const entry of withoutAskedCalls(all)) {
    if (entry.kind === "asked" && entry.settled === undefined && openCards.includes(entry.id)) continue;
    if (entry.kind === "prompt") at = undefined;
    const first = at === undefined ? undefined : (entries[at] as EntryOf<"call">);
    if (entry.kind !== "call" || !setsTodo(entry, first?.name)) {
      entries.push(entry);
    } else if (first === undefined || at === undefined) {
      at = entries.length;
      lastTodo = entry.key;
      entries.push(entry);
    } else if (entry.result !== undefined) {
      entries[at] = { ...first, result: entry.result };
    }
  }
  return { entries, lastTodo, told: commandsInCalls(all) };
}

/** The list that a call shows, where it shows nothing else. */
export function todoOf({ result }: EntryOf<"call">): Todo | undefined {
  const [only, ...others] = result?.display ?? [];
  const isTodo = only?.type === "todo" && "items" in only && others.length === 0;
  return isTodo && result?.isError === false ? (only as Todo) : undefined;
}

/** @param name that of the tool that set the list before in this turn: its next call is not drawn while it runs. */
const setsTodo = (call: EntryOf<"call">, name: string | undefined): boolean =>
  todoOf(call) !== undefined || (call.result === undefined && call.name === name);
