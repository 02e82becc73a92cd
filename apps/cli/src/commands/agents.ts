import { terminalWords } from "@askwire/client/words";
import {
  type Approvable,
  approvalOf,
  contentHash,
  keepApproval,
  removeApproval,
} from "../by-name/approvals.js";
import { projectServers, SERVER_PREFIX, trustedServers } from "../by-name/configured-servers.js";
import { realFolder } from "../by-name/entry-files.js";
import { projectAgents, trustedAgents } from "../by-name/known-agents.js";
import { knownAgent } from "../by-name/named-command.js";
import type { AgentListOptions, ApproveOptions } from "../command-line/agents.js";
import { paintFor } from "../device/paint.js";
import { CommandFailure, usageFailure } from "../input/failure.js";
import { languageOf } from "../input/language.js";
import { counted } from "../sessions/amounts.js";
import { agentJson, agentLines, contentLines, leftOutLine, serverJson, serverLines } from "./agent-lines.js";
import { approvalAtTerminal, serverApprovalAtTerminal } from "./ask-approval.js";

export interface AgentsPlace {
  /** The folder whose project is meant. Default: the current folder. */
  readonly workDir?: string;
}

const placesOf = ({ workDir = process.cwd() }: AgentsPlace) => ({ workDir, env: process.env });

/** Lists the agents that have a name, and the servers of MCP of the configurations. */
export async function listAgents(options: AgentListOptions): Promise<void> {
  const { env } = process;
  const places = placesOf(options);
  const trusted = await trustedAgents(places);
  const project = await projectAgents(places);
  const trustedByUser = await trustedServers(places);
  const ofProject = await projectServers(places);
  const owner = new Map([...trusted, ...trustedByUser].map(({ name, from }) => [name, from]));
  const isFree = ({ name }: { readonly name: string }) => !owner.has(name);
  const agents = [...trusted, ...project.filter(isFree)];
  const servers = [...trustedByUser, ...ofProject.filter(isFree)];
  const lines =
    options.json === true
      ? [
          ...agents.map((agent) => agentJson(agent, env)),
          ...servers.map((known) => serverJson(known, env)),
        ].map((known) => JSON.stringify(known))
      : agentLines(agents, servers, env, paintFor(process.stdout, env));
  process.stdout.write(`${lines.join("\n")}\n`);
  for (const agent of [...project, ...ofProject]) {
    const from = owner.get(agent.name);
    if (from !== undefined) process.stderr.write(`${leftOutLine(agent, from)}\n`);
  }
}

/** Shows a project's agent, or its server of MCP, and approves its content once a person has confirmed that. */
export async function approveAgent(name: string, options: ApproveOptions): Promise<void> {
  const { env } = process;
  const agent = await approvable(name, options);
  const approval = approvalOf(agent, env);
  if (approval === "approved") return void process.stdout.write(`${name} is approved already\n`);
  const hash = contentHash(agent);
  if (options.sha256 === undefined) {
    const asked =
      "server" in agent
        ? serverApprovalAtTerminal()?.(agent, approval)
        : approvalAtTerminal()?.(agent, approval);
    if (asked === undefined) {
      const { agents: words } = terminalWords[languageOf(undefined, env)];
      const lines =
        "server" in agent ? serverLines(agent, approval, words) : contentLines(agent, approval, words);
      process.stderr.write(`${lines.join("\n")}\n`);
      throw usageFailure(`agents approve ${name}: there is no terminal to ask at: add --sha256 ${hash}`);
    }
    if (!(await asked)) throw new CommandFailure(`agents approve ${name}: not approved`);
  } else if (options.sha256 !== hash) {
    throw usageFailure(
      `agents approve ${name}: --sha256 does not match the configuration: askwire agents --json prints the hash of each`,
    );
  }
  keepApproval(agent, env);
  process.stdout.write(`${name} is approved\n`);
}

/** The content of a project's file under a name, which begins with `mcpServers/` for a server of MCP. */
async function approvable(name: string, options: AgentsPlace): Promise<Approvable> {
  if (name.startsWith(SERVER_PREFIX)) {
    const servers = await projectServers(placesOf(options));
    const found = servers.find((server) => server.name === name);
    if (found !== undefined) return found;
    const names = servers.map((server) => server.name).join(", ") || "none";
    throw usageFailure(`agents approve ${name}: the project has no server of this name: it has ${names}`);
  }
  const agent = await knownAgent(name, placesOf(options), "agents approve");
  if (agent.from === "project") return agent;
  throw usageFailure(
    `agents approve ${name}: it does not come from a project (${agent.from}), so it needs no approval`,
  );
}

/** Takes approvals back. Running agents continue. */
export function revokeAgents(names: readonly string[], options: AgentsPlace): void {
  const { workDir } = placesOf(options);
  const folder = realFolder(workDir);
  const asked = [...new Set(names)];
  const unknown = asked.filter((name) => !removeApproval({ name, folder }, process.env));
  const revoked = asked.length - unknown.length;
  if (revoked > 0) process.stdout.write(`${counted(revoked, "approval")} revoked\n`);
  if (unknown.length > 0)
    throw usageFailure(
      `agents revoke ${unknown.join(" ")}: not approved for ${folder}: askwire agents lists them`,
    );
}
