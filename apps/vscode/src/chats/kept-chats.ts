// The sessions of a workspace that a reload goes on with. Other windows of the same folder keep theirs in the same place.

/** A place of the editor that outlives the window, such as the state of a workspace. */
export interface Memory {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

/** A session that is open, or was when its window closed. */
export interface KeptChat {
  readonly id: string;
  readonly title: string;
}

/** The most sessions that are remembered. */
const MOST = 20;

const KEY = "askwire.sessions";

/** The sessions that are remembered, the one that was shown last first. Anything else in that place is dropped. */
export function keptChats(memory: Memory): readonly KeptChat[] {
  const value = memory.get(KEY);
  if (!Array.isArray(value)) return [];
  const entries = value.filter(
    (one): one is KeptChat =>
      typeof one === "object" && one !== null && typeof one.id === "string" && typeof one.title === "string",
  );
  return entries.slice(0, MOST);
}

/**
 * Remembers the sessions of this window before those of others, and forgets those that a person closed.
 *
 * @param mine the sessions that are open here, the shown one first.
 */
export function keepChats(memory: Memory, mine: readonly KeptChat[], closed: ReadonlySet<string>): void {
  const others = keptChats(memory).filter(({ id }) => !closed.has(id) && !mine.some((one) => one.id === id));
  const next = [...mine, ...others].slice(0, MOST);
  if (JSON.stringify(next) !== JSON.stringify(keptChats(memory))) void memory.update(KEY, next);
}
