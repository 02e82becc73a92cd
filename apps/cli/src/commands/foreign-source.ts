import { connectProcess } from "@askwire/client/stdio";
import { visibleText } from "@askwire/client/text";
import { keptSessions, refuseUsedSession } from "../agents/kept-sessions.js";
import type { ServedAgent } from "../agents/named-agent.js";
import { readableLog } from "../agents/readable-log.js";
import type { ChatOptions } from "../command-line/chat.js";
import { requireFolder } from "../input/require-folder.js";
import { approvalAtTerminal } from "./ask-approval.js";
import type { ChatSource } from "./chat-source.js";
import { keepingOf, throughServer } from "./kept-source.js";

/**
 * The agent that a program is. One of the wire is talked to without a server in between, unless options of the session
 * need one.
 */
export async function foreignSource(
  command: readonly string[],
  cwd: string,
  options: ChatOptions,
): Promise<ChatSource> {
  requireFolder(cwd);
  const { eitherProtocol } = await import("@askwire/relays/acp");
  const { firstOnly, foreignAgent, servedAgent, slowStart, START_MS, startedAgent } = await import(
    "../agents/relayed-agent.js"
  );
  const { introducedAgent } = await import("../agents/introduced-agent.js");
  const foreign = await foreignAgent(command, options, cwd, approvalAtTerminal(options.lang));
  const [executable, ...args] = foreign.command;
  const found = keptSessions(options, cwd, { kimi: false });
  refuseUsedSession(found);
  const { place, sessionId } = found;
  const needsServer = foreign.protocol === "acp" || sessionId !== undefined || options.yolo || options.afk;
  const keeping = keepingOf(place);
  return {
    goesOn: sessionId,
    // A program that is talked to directly has its sessions to itself.
    goesOnLater: () => (needsServer ? keeping.goesOnLater() : "nowhere"),
    drafts: (id) => (needsServer ? keeping.drafts(id) : undefined),
    async open(report, client, signal, { onUnkept, onModes, onChosen }) {
      const line = (text: string) => report(`askwire: ${text}\n`);
      const through = (agent: ServedAgent) =>
        throughServer(agent, options, { ...keeping.of(sessionId, onUnkept), report, onModes }, client);
      if (needsServer) {
        const started = await startedAgent(foreign, cwd, { line, log: report, signal, onChosen });
        try {
          return await through(servedAgent(started, foreign.command));
        } catch (error) {
          await started.end();
          throw error;
        }
      }
      const directly = (wrap?: Parameters<Parameters<typeof eitherProtocol>[0]>[0]) =>
        connectProcess(executable, args, {
          ...client,
          cwd,
          env: foreign.env,
          onStderr: readableLog(report),
          onProblem: firstOnly((problem) => line(`from "${executable}": ${visibleText(problem)}`)),
          onSlowStart: (printed) => line(slowStart(executable, printed)),
          initializeTimeoutMs: START_MS,
          signal,
          ...(wrap !== undefined && { through: wrap }),
        });
      const agent = foreign.protocol === "wire" ? await directly() : await eitherProtocol(directly);
      return "channel" in agent ? through(introducedAgent(foreign, agent, report, onChosen)) : agent;
    },
  };
}
