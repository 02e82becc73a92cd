// Trajectories: `@askwire/server/trajectory`. Sessions as examples to train a model on. Apart from the rest, which a
// server never needs.
export { JOURNAL_FILE } from "../journal/places.js";
export type { SkippedLine } from "../journal/read-journal.js";
export { checkTrajectories, type TrajectoryCounts, type TrajectoryProblem } from "./check-trajectories.js";
export { faultsOf, type TrajectoryFault } from "./faults.js";
export { readTrajectory } from "./read-trajectory.js";
export { type QueryTag, queryTags, withSystem, withTag } from "./rewrite.js";
export type { NoTrajectory } from "./session-messages.js";
export {
  Trajectory,
  type TrajectoryFlags,
  type TrajectoryMessage,
  type TrajectoryRole,
} from "./trajectory.js";
