// The agents that have a name, and where each name comes from. A name that a person trusts is never a project's.
import { type AgentEntry, readEntries } from "./agent-entry.js";
import { type Places, projectFile, trustedFiles } from "./entry-files.js";
import { wellKnownAgents } from "./well-known.js";

/** An agent with a name that needs no approval. */
export interface TrustedAgent extends AgentEntry {
  readonly name: string;
  readonly from: "user" | "machine" | "shipped";
  /** The file with the entry. Undefined for a shipped agent. */
  readonly file: string | undefined;
  /** The version of Node.js that the agent asks for, if that is known and newer than ours. */
  readonly node: string | undefined;
}

/** An agent of a project's file, which a person has to approve. */
export interface ProjectAgent extends AgentEntry {
  readonly name: string;
  readonly from: "project";
  readonly file: string;
  /** The project's folder by its real path, absolute. */
  readonly folder: string;
}

export type KnownAgent = TrustedAgent | ProjectAgent;

/**
 * Reads the agents of the user's file, of the machine's and those that are shipped. Of equal names the first counts.
 *
 * @throws Failure of one line for a file that is wrong.
 */
export async function trustedAgents(places: Places): Promise<TrustedAgent[]> {
  const agents = new Map<string, TrustedAgent>();
  for (const { from, file, content } of trustedFiles(places))
    for (const [name, entry] of await readEntries(content, file))
      if (!agents.has(name)) agents.set(name, { ...entry, name, from, file, node: undefined });
  for (const [name, entry] of wellKnownAgents)
    if (!agents.has(name)) agents.set(name, { ...entry, name, from: "shipped", file: undefined });
  return [...agents.values()];
}

/**
 * Reads the agents of the project's file, `.askwire/config.toml` or `config.json` in the work folder.
 *
 * @throws Failure of one line for a file that is wrong, and for a work folder that does not exist.
 */
export async function projectAgents(places: Places): Promise<ProjectAgent[]> {
  const project = projectFile(places);
  if (project === undefined) return [];
  const { file, folder, content, fitsScreen } = project;
  return [...(await readEntries(content, file))].map(([name, entry]) => {
    fitsScreen(`agents.${name}`, entry);
    return { ...entry, name, from: "project", file, folder };
  });
}
