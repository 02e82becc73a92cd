import { defined } from "@askwire/protocol/internal";
import { agentEnvironment } from "@askwire/relays";
import type { McpServer } from "@askwire/relays/mcp";
import type { AgentSession, ToolSet } from "@askwire/server";
import { type AskServerApproval, configuredServers } from "../by-name/configured-servers.js";
import type { ServerEntry } from "../by-name/server-entry.js";
import { inheritedNames } from "../process/command-environment.js";

/** Makes the sets of tools of a session. */
export type ToolSetsOf = (session: AgentSession) => readonly ToolSet[];

/**
 * The tools of the configured servers of MCP. Their SDK is loaded where there is one.
 *
 * @param ask shows a person a project's server. Default: nobody can be asked.
 */
export async function mcpToolSets(workDir: string, ask?: AskServerApproval): Promise<ToolSetsOf> {
  const { env } = process;
  const say = (line: string) => void process.stderr.write(`askwire: ${line}\n`);
  const entries = await configuredServers({ workDir, env }, ask, say);
  if (entries.size === 0) return () => [];
  const { mcpTools } = await import("@askwire/relays/mcp");
  const servers = new Map([...entries].map(([name, entry]) => [name, serverOf(entry, env)]));
  return (session) => [mcpTools(servers, session)];
}

function serverOf(
  { command, url = "", headers, inherit, env, timeout, startup }: ServerEntry,
  ours: NodeJS.ProcessEnv,
): McpServer {
  const times = defined({ callTimeoutMs: timeout, startupMs: startup });
  if (command === undefined) return { url, headers, ...times };
  return {
    command,
    env: { ...agentEnvironment(ours, [...inheritedNames(ours), ...inherit]), ...env },
    ...times,
  };
}
