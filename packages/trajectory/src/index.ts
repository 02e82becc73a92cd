// Trajectories: kept sessions as examples to train a model on, and their check.

export type { SkippedLine } from "@askwire/server/internal";
export { JOURNAL_FILE } from "@askwire/server/internal";
export { checkTrajectories, type TrajectoryCounts, type TrajectoryProblem } from "./check-trajectories.js";
export {
  type AskedStep,
  type ExampleUnit,
  type GivenToModel,
  type NoExample,
  type RecordedSession,
  type RecordedTurn,
  type SessionExamples,
  sessionExamples,
  type TrainingExample,
} from "./examples.js";
export { faultsOf, type TrajectoryFault } from "./faults.js";
export { uncheckedCorruptions } from "./flag-rules.js";
export { formatLine, type TrainingFormat, trainingFormats, unitOf } from "./formats.js";
export { readRecordedSession, readTrajectory } from "./read-trajectory.js";
export { type QueryTag, queryTags, sessionWith, withSystem, withTag } from "./rewrite.js";
export type { NoTrajectory } from "./session-messages.js";
export {
  Trajectory,
  type TrajectoryFlags,
  type TrajectoryMessage,
  type TrajectoryRole,
} from "./trajectory.js";
