import type { TrajectoryFlags } from "./trajectory.js";

/** What makes a trajectory a bad example, with how to find it in the flags (P-26, P-TRJ-6). */
const signs = {
  unanswered_queries: ({ unanswered_queries }) => unanswered_queries > 0,
  dropped_calls: ({ dropped_calls }) => dropped_calls > 0,
  hallucinated_result: ({ hallucinated_result }) => hallucinated_result,
} satisfies Record<string, (flags: TrajectoryFlags) => boolean>;

/** One of them. */
export type TrajectoryFault = keyof typeof signs;

/** What is wrong with a trajectory as an example for a model; nothing, in a good one. */
export const faultsOf = (flags: TrajectoryFlags): TrajectoryFault[] =>
  Object.entries(signs).flatMap(([fault, has]) => (has(flags) ? [fault as TrajectoryFault] : []));
