// The public surface of @askwire/agent: named exports only.
export { type ModelAgentOptions, type ModelConversation, modelAgent } from "./model-loop/model-agent.js";
export { readScripts, scriptedModel } from "./models/scripted.js";
export { planModeTools } from "./tools/plan-mode.js";
