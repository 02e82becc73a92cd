import { agentEnvironment, wireAgent } from "@askwire/agents";
import { inheritedNames } from "../process/command-environment.js";
import type { ServedAgent } from "./named-agent.js";

/** Makes the agent of a command: another program that speaks the wire. */
export function relayedAgent(command: readonly string[]): ServedAgent {
  const [executable = ""] = command;
  return {
    agentName: `command ${executable}`,
    agent: wireAgent(command, {
      env: agentEnvironment(process.env, inheritedNames(process.env)),
      onStderr: (text) => void process.stderr.write(text),
    }),
  };
}
