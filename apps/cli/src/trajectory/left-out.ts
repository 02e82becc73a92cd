import type { NoTrajectory, TrajectoryFault } from "@askwire/trajectory";

/** The reasons for which sessions are left out. */
const reasons = {
  unanswered_queries: "with a query without a result",
  dropped_calls: "with a call that was not executed",
  hallucinated_result: "with a result that the model wrote",
  unsuccessful: "without success",
  empty: "in which no model said anything",
  too_long: "too long for a trajectory",
} satisfies Record<TrajectoryFault | NoTrajectory | "unsuccessful", string>;

/** A reason for which a session is left out. */
export type Reason = keyof typeof reasons;

/** Counts the left-out sessions by reason. A session may have several reasons. */
export function leftOut() {
  const counts = new Map<Reason, number>();
  let sessions = 0;
  return {
    add(why: readonly Reason[]): void {
      sessions += 1;
      for (const reason of why) counts.set(reason, (counts.get(reason) ?? 0) + 1);
    },
    /** The counts for the end of a line. Empty without left-out sessions. */
    text(): string {
      if (sessions === 0) return "";
      const each = Object.entries(reasons).flatMap(([reason, words]) => {
        const count = counts.get(reason as Reason);
        return count === undefined ? [] : [`${count} ${words}`];
      });
      return `; ${sessions} left out: ${each.join(", ")}`;
    },
  };
}
