import type { TrajectoryFlags } from "./trajectory.js";

/** The signs of a bad example, in the flags of a trajectory (P-26, P-TRJ-6). */
const signs = {
  unanswered_queries: ({ unanswered_queries }) => unanswered_queries > 0,
  dropped_calls: ({ dropped_calls }) => dropped_calls > 0,
  hallucinated_result: ({ hallucinated_result }) => hallucinated_result,
} satisfies Record<string, (flags: TrajectoryFlags) => boolean>;

/** A key of these signs. */
export type TrajectoryFault = keyof typeof signs;

/** Lists the faults of a trajectory as an example for a model; empty for a good example. */
export const faultsOf = (flags: TrajectoryFlags): TrajectoryFault[] =>
  Object.entries(signs).flatMap(([fault, has]) => (has(flags) ? [fault as TrajectoryFault] : []));
