// The face with agents of the Agent Client Protocol (ACP). The SDK of that protocol is an optional peer.
export { acpAgent } from "./acp/acp-agent.js";
export type { AcpVersion, IntroducedAgent } from "./acp/introduce.js";
export type { AcpAgentOptions } from "./acp/options.js";
