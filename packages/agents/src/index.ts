// The public surface of @askwire/agents: named exports only. Agents of ACP are in ./acp.
export { type WireAgentOptions, wireAgent } from "./wire/wire-agent.js";
