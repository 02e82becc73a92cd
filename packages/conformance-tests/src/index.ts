// The public surface: a suite for each side of the wire, and functions for its report.

export { clientSuite } from "./client/client-suite.js";
export { uncheckedOnClient } from "./client/unchecked-sentences.js";
export { conformance, type Installed } from "./command.js";
export type { ActsTo } from "./contract/acts-to.js";
export {
  type Check,
  type CheckContext,
  CheckFailure,
  CheckSkipped,
  type Exchange,
  exceptionReasons,
  type LineException,
} from "./contract/check.js";
export {
  type CheckedProfile,
  type CheckPlace,
  type Claims,
  type Level,
  levels,
  profiles,
  readClaims,
} from "./contract/levels.js";
export type { Unreachable } from "./contract/probe.js";
export { type Sentence, sentencesOf, type UncheckedSentence } from "./contract/sentences.js";
export { junitReport } from "./report/junit-report.js";
export { matrixPage } from "./report/matrix-page.js";
export {
  type CheckResult,
  type Counts,
  exitCodeOf,
  type Failure,
  isGreen,
  jsonReport,
  type LevelSummary,
  levelSummaries,
  type Report,
  textReport,
} from "./report/report.js";
export type { Suite, SuiteOptions } from "./run/suite.js";
export { clusterSuite } from "./server/cluster/cluster-suite.js";
export { gatewaySuite } from "./server/gateway/gateway-suite.js";
export { serverSuite } from "./server/server-suite.js";
export { uncheckedOnServer } from "./server/unchecked-sentences.js";
export type { TemplateSource } from "./template.js";
export { WrongUse } from "./wrong-use.js";
