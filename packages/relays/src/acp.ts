// The face with agents of the Agent Client Protocol (ACP), and of whichever protocol an agent speaks. The SDK of ACP is an
// optional peer.
export { acpAgent } from "./acp/acp-agent.js";
export type { AcpVersion, IntroducedAgent } from "./acp/introduce.js";
export type { AcpAgentOptions } from "./acp/options.js";
export {
  type AgentStartOptions,
  eitherProtocol,
  type StartedAgent,
  startAgent,
} from "./probe/start-agent.js";
