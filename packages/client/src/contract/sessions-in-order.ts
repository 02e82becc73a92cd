import type { HeardSession } from "@askwire/protocol";

/** The sessions of a server as a person looks at them: the longest wait first, then the one that was last active. */
export function sessionsInOrder(sessions: readonly HeardSession[]): HeardSession[] {
  const waits = ({ oldest }: HeardSession) => oldest?.since ?? "~";
  const active = ({ active_at = "" }: HeardSession) => active_at;
  return [...sessions].sort(
    (a, b) => compare(waits(a), waits(b)) || compare(active(b), active(a)) || compare(a.id, b.id),
  );
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
