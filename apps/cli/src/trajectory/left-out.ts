import type { NoExample, NoTrajectory } from "@askwire/trajectory";

/** The reasons for which sessions, or turns and steps of them, are left out. */
const reasons = {
  unanswered_queries: "with a query without a result",
  dropped_calls: "with a call that was not executed",
  hallucinated_result: "with a result that the model wrote",
  unsuccessful: "without success",
  cut_off: "that was cut off",
  no_place: "with a part that the format has no place for",
  empty: "in which no model said anything",
  too_long: "too long for a trajectory",
} satisfies Record<NoExample | NoTrajectory | "no_place", string>;

/** A reason for which one is left out. */
export type Reason = keyof typeof reasons;

/** Counts the left-out sessions, turns or steps by reason. Each may have several reasons. */
export function leftOut() {
  const counts = new Map<Reason, number>();
  let all = 0;
  return {
    add(why: readonly Reason[]): void {
      all += 1;
      for (const reason of why) counts.set(reason, (counts.get(reason) ?? 0) + 1);
    },
    /** The counts for the end of a line. Empty where nothing is left out. */
    text(): string {
      if (all === 0) return "";
      const each = Object.entries(reasons).flatMap(([reason, words]) => {
        const count = counts.get(reason as Reason);
        return count === undefined ? [] : [`${count} ${words}`];
      });
      return `; ${all} left out: ${each.join(", ")}`;
    },
  };
}
