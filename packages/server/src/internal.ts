// Names that only our own packages share with the server. Nothing is promised about them.

export { interruptedResult } from "./agent/interrupted-calls.js";
export { type Media, mediaPart, readMedia } from "./agent/media.js";
export { MissingTool } from "./agent/missing-tool.js";
export { providerErrorTypes, retryable } from "./agent/model.js";
export { runTool } from "./agent/run-tool.js";
export { readArguments, toJsonSchema } from "./agent/tool-parameters.js";
export { brief } from "./agent/tool-result.js";
export { cutOffMoves } from "./journal/cut-off-moves.js";
export { answeredWords, askedWords } from "./journal/decision-words.js";
export {
  type DecisionRecord,
  decisionInLine,
  firstRecordAt,
  type KeptDecision,
  readDecisions,
  requestDigest,
  timeOfLine,
} from "./journal/decisions.js";
export { nodeDisk } from "./journal/disk.js";
export type { JournalRecord } from "./journal/entries.js";
export { answersOf, forgetPerson } from "./journal/forget-person.js";
export { readLines } from "./journal/lines.js";
export { DecisionRows, hasWords } from "./journal/listed-decision.js";
export { type LockedSession, lockSession } from "./journal/local-move.js";
export { lockHolder, refuseLocked, takeLock } from "./journal/lock.js";
export { type MovedMark, readMovedMark, removeMovedMark, writeMovedMark } from "./journal/moved-mark.js";
export { unfinishedOf } from "./journal/open-requests.js";
export { JOURNAL_FILE, notePath } from "./journal/places.js";
export { type JournalReading, readJournal, type SkippedLine } from "./journal/read-journal.js";
export { UnfinishedSessions } from "./journal/unfinished-sessions.js";
export { type JsonSchema, readJsonSchema } from "./json-schema/json-schema.js";
export { isObject } from "./json-schema/json-schema-rules.js";
export { editOfMessage } from "./requests/approval-request.js";
export { Deadline, deadlineRules } from "./requests/deadline.js";
export { displayMarkdown } from "./requests/display-markdown.js";
export { type BoundedTime, boundedTime } from "./runtime/bounded-time.js";
export { atMost, unlessAborted } from "./runtime/clock.js";
export { oneLine } from "./runtime/one-line.js";
export { patternSearch } from "./runtime/pattern-search.js";
export { uuid } from "./runtime/uuid.js";
export { hostName } from "./transport/origin.js";
export { sameToken } from "./transport/token.js";
