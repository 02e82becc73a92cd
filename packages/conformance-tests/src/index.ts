// The public surface: a suite for each side of the wire, and functions for its report.

export {
  type Check,
  type CheckContext,
  CheckFailure,
  CheckSkipped,
  type Exchange,
  exceptionReasons,
  type LineException,
} from "./check.js";
export { clientSuite } from "./client/client-suite.js";
export type { ActsTo } from "./client/person/channels.js";
export { uncheckedOnClient } from "./client/unchecked-sentences.js";
export { conformance } from "./command.js";
export { junitReport } from "./junit-report.js";
export { type Claims, type Level, levels, type Place, type Profile, profiles, readClaims } from "./levels.js";
export { matrixPage } from "./matrix-page.js";
export type { Unreachable } from "./probe.js";
export {
  type CheckResult,
  type Counts,
  exitCodeOf,
  type Failure,
  isGreen,
  jsonReport,
  type LevelSummary,
  levelsOf,
  type Report,
  textReport,
} from "./report.js";
export { type Sentence, sentencesOf, type UncheckedSentence } from "./sentences.js";
export { gatewaySuite } from "./server/gateway/gateway-suite.js";
export { serverSuite } from "./server/server-suite.js";
export { uncheckedOnServer } from "./server/unchecked-sentences.js";
export type { Suite, SuiteOptions } from "./suite.js";
export { WrongUse } from "./wrong-use.js";
