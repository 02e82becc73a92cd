import { visibleText } from "@askwire/client/text";
import { type AcpChosen, acpAgent, type IntroducedAgent } from "@askwire/relays/acp";
import type { ServedAgent } from "./named-agent.js";
import { readableLog } from "./readable-log.js";
import { type ForeignAgent, firstOnly } from "./relayed-agent.js";

/** The ACP agent that a command's process is, for a server. */
export function introducedAgent(
  { command, env }: ForeignAgent,
  introduced: IntroducedAgent,
  report: (text: string) => void,
  onChosen: (chosen: AcpChosen) => void,
): ServedAgent {
  const [executable] = command;
  const onStray = firstOnly((problem) => report(`askwire: from "${executable}": ${visibleText(problem)}\n`));
  return {
    agentName: `command ${executable}`,
    agent: acpAgent(command, { introduced, env, onStderr: readableLog(report), onStray, onChosen }),
  };
}
