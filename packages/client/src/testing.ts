// A server that a test scripts, for programs that show an agent's questions: `@askwire/client/testing`.

export type { AnswerSaid } from "./testing/scripted-request.js";
export { type ScriptedServer, scriptedServer } from "./testing/scripted-server.js";
export type {
  ReceivedAnswer,
  ScriptedApprovalInit,
  ScriptedOutcome,
  ScriptedServerOptions,
} from "./testing/scripted-shapes.js";
