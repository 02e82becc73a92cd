import { sessionsInOrder } from "@askwire/client";
import type { TalkWords } from "@askwire/client/words";
import type { HeardRequest, HeardSession } from "@askwire/protocol";

/** The state of a session in a list that is on disk alone, and has to be opened again. */
export const KEPT = "kept";

/** Sessions of a list under one heading. */
export interface SessionGroup {
  readonly name: string;
  readonly sessions: readonly HeardSession[];
}

/** The sessions on disk alone in which something waits, by what waits there (P-XRQ-2). */
export function sessionsOnDisk(requests: readonly HeardRequest[]): HeardSession[] {
  const bySession = grouped(
    requests.filter(({ state }) => state === KEPT),
    ({ session_id }) => session_id,
  );
  return [...bySession].map(([id, open]) => {
    const [oldest] = open.toSorted((a, b) => (a.since < b.since ? -1 : 1)) as [HeardRequest];
    const { title, folder, host, kind, text, since, request_id } = oldest;
    const place = { ...(title !== undefined && { title }), folder, host };
    return {
      ...{ id, state: KEPT, connections: 0, open: open.length },
      ...place,
      oldest: { request_id, kind, text, since },
    };
  });
}

/** The values by their keys, in the order in which these came. */
function grouped<Key, One>(all: readonly One[], keyOf: (one: One) => Key): Map<Key, One[]> {
  const groups = new Map<Key, One[]>();
  for (const one of all) {
    const group = groups.get(keyOf(one));
    if (group === undefined) groups.set(keyOf(one), [one]);
    else group.push(one);
  }
  return groups;
}

/** The last part of a folder. Empty for one without a name. */
export const folderName = (folder = ""): string =>
  folder.split(/[\\/]/).findLast((part) => part !== "") ?? "";

/** True for a session whose title, folder or id has these words, in any case. */
export function isFound({ title = "", folder = "", id }: HeardSession, words: string): boolean {
  const said = words.trim().toLowerCase();
  return [title, folder, id].some((text) => text.toLowerCase().includes(said));
}

/**
 * The sessions by what a person does with them: answers, waits, goes on or looks back. What is over stands by folder
 * where there are several.
 *
 * @param now milliseconds since 1970; the day is that of this device.
 */
export function sessionGroups(
  sessions: readonly HeardSession[],
  now: number,
  names: TalkWords["sessionGroups"],
): SessionGroup[] {
  const today = new Date(now).toDateString();
  const groupOf = ({ state, oldest, open = 0, active_at }: HeardSession): keyof typeof names => {
    if (state === KEPT) return open > 0 ? "kept" : "stored";
    if (oldest !== undefined || open > 0) return "waiting";
    if (state === "running") return "working";
    // A server that says nothing of its time lists what is there now.
    return active_at === undefined || new Date(active_at).toDateString() === today ? "today" : "earlier";
  };
  const inGroups = grouped(sessionsInOrder(sessions), groupOf);
  const isSpread = new Set(sessions.map(({ folder }) => folder)).size > 1;
  return (Object.keys(names) as (keyof typeof names)[]).flatMap((key) => {
    const some = inGroups.get(key) ?? [];
    if (!isSpread || (key !== "today" && key !== "earlier"))
      return some.length === 0 ? [] : [{ name: names[key], sessions: some }];
    const byFolder = [...grouped(some, ({ folder }) => folderName(folder))];
    return byFolder.map(([folder, sessions]) => ({
      name: [names[key], folder].filter((part) => part !== "").join(" · "),
      sessions,
    }));
  });
}

/** The first sessions of the groups, this many in all. */
export function firstOf(groups: readonly SessionGroup[], most: number): SessionGroup[] {
  let left = most;
  return groups.flatMap(({ name, sessions }) => {
    const some = sessions.slice(0, left);
    left -= some.length;
    return some.length === 0 ? [] : [{ name, sessions: some }];
  });
}
