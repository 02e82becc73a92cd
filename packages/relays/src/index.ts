// The public surface of @askwire/relays: named exports only. ACP agents are in ./acp.
export { agentEnvironment } from "./process/agent-environment.js";
export { providerKeys } from "./process/provider-keys.js";
export { type WireAgentOptions, wireAgent } from "./wire/wire-agent.js";
