import { resolve } from "node:path";
import { nearest } from "@askwire/protocol/internal";
import { CommandFailure, usageFailure } from "../input/failure.js";
import type { AgentEntry } from "./agent-entry.js";
import { approvalOf, type CommandApproval, keepApproval } from "./approvals.js";
import type { Places } from "./entry-files.js";
import { type KnownAgent, type ProjectAgent, projectAgents, trustedAgents } from "./known-agents.js";

/** Shows a person the whole content of a project's agent. Resolves with true only if the person approves that. */
export type AskApproval = (
  agent: ProjectAgent,
  approval: Exclude<CommandApproval, "approved">,
) => Promise<boolean>;

export interface NamedCommandOptions extends Places {
  /** Undefined where nobody can be asked. */
  readonly ask?: AskApproval | undefined;
}

/**
 * Finds the command of `--agent`. That of a project's file is approved by a person first, who is asked again when the
 * content has changed.
 *
 * @returns the program with its arguments, its protocol if that is known, and its variables.
 * @throws Failure for an unknown name, a file that is wrong, and a command that nobody has approved.
 */
export async function namedCommand(name: string, options: NamedCommandOptions): Promise<AgentEntry> {
  const { workDir, env, ask } = options;
  const agent = await knownAgent(name, options, "--agent");
  const { command, protocol, inherit } = agent;
  const found: AgentEntry = { command, protocol, inherit, env: agent.env };
  if (agent.from !== "project") return found;
  const approval = approvalOf(agent, env);
  if (approval === "approved") return found;
  if (ask === undefined) {
    const why = approval === "changed" ? "has changed since it was approved" : "is not approved";
    throw usageFailure(`--agent ${name}: its command in ${agent.file} ${why}: ${approveLine(name, workDir)}`);
  }
  if (!(await ask(agent, approval)))
    throw new CommandFailure(`--agent ${name}: its command in ${agent.file} is not approved`);
  keepApproval(agent, env);
  return found;
}

/** The line that approves an agent of a project. */
function approveLine(name: string, workDir: string): string {
  const place = resolve(workDir) === process.cwd() ? "" : ` --work-dir ${JSON.stringify(resolve(workDir))}`;
  return `askwire agents approve ${name}${place}`;
}

/**
 * Finds an agent by its name. A project's file is read only for a name that nobody else has.
 *
 * @param place the beginning of a failure: the option or the command.
 * @throws Failure for an unknown name, and for a file that is wrong.
 */
export async function knownAgent(name: string, places: Places, place: string): Promise<KnownAgent> {
  const trusted = await trustedAgents(places);
  const isNamed = (agent: KnownAgent) => agent.name === name;
  const own = trusted.find(isNamed);
  if (own !== undefined) return own;
  const project = await projectAgents(places);
  const found = project.find(isNamed);
  if (found !== undefined) return found;
  const names = [...new Set([...trusted, ...project].map((agent) => agent.name))];
  const [near] = nearest(name, names, (one) => [one]);
  throw usageFailure(
    `${place} ${name}: no agent has this name (did you mean ${near}?): known agents are ${names.sort().join(", ")}`,
  );
}
