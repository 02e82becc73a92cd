// The face with agents of the Agent Client Protocol (ACP), and of whichever protocol an agent speaks. The SDK of ACP is an
// optional peer.
export { acpAgent } from "./acp/acp-agent.js";
export type { AcpVersion, IntroducedAgent } from "./acp/introduce.js";
export type { AcpAgentOptions, AcpChosen } from "./acp/options.js";
export {
  type AgentStartOptions,
  eitherProtocol,
  type StartedAgent,
  startAgent,
} from "./probe/start-agent.js";
export { type AcpProxy, type AcpProxyOptions, acpProxy } from "./proxy/acp-proxy.js";
export type { PeopleSession } from "./proxy/ask-people.js";
