// Runs an agent in a test: `@askwire/server/testing`. Needs no test runner of its own.

export { type DrivenClock, drivenClock } from "./testing/driven-clock.js";
export type { ApprovalAsked, QuestionAsked, RunEvent, ToolCalled } from "./testing/run-record.js";
export type {
  AnswersApproval,
  AnswersByQuestion,
  AnswersQuestion,
  PutToPerson,
  WordOnQuestion,
} from "./testing/script.js";
export type { RunResult, ScriptedRun } from "./testing/scripted-run.js";
export type { ScriptedAnswer, ScriptedApproval, ScriptedRefusal } from "./testing/scripted-words.js";
export { type TestAgentOptions, type TestedAgent, testAgent } from "./testing/test-agent.js";
export { UnforeseenRequest } from "./testing/unforeseen-request.js";
