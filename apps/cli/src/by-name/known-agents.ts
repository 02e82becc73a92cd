// The agents that have a name, and where each name comes from. A name that a person trusts is never a project's.
import { readFileSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { shareFolder } from "@askwire/server";
import { usageFailure } from "../input/failure.js";
import { configurationFile } from "../input/parse-configuration.js";
import { readOptionFile } from "../input/read-file.js";
import { type AgentEntry, readEntries } from "./agent-entry.js";
import { wellKnownAgents } from "./well-known.js";

/** The places where names are looked up. */
export interface Places {
  /** The folder that the agent works in, whose project may have a file. */
  readonly workDir: string;
  readonly env: NodeJS.ProcessEnv;
  /** The folder of the machine's configuration. Default: `/etc/askwire`; on Windows there is none. */
  readonly machine?: string | undefined;
}

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

/** The most bytes of a project's file, whose content nobody has looked at. */
const MOST_PROJECT_BYTES = 256 * 1024;
/** The most characters of a project's entry as JSON: what a person approves has to fit on a screen. */
const MOST_SHOWN = 2_000;

/** The machine's folder, which only an administrator writes. Windows has none: anybody may make `C:\etc` there. */
const machineFolder = process.platform === "win32" ? undefined : "/etc/askwire";

/** The folders of the configurations that need no approval: the user's, then the machine's. */
export function trustedFolders({ env, machine = machineFolder }: Places) {
  const user = { from: "user", folder: shareFolder(env, { kimi: false }) } as const;
  return machine === undefined ? [user] : [user, { from: "machine", folder: machine } as const];
}

/**
 * Reads the agents of the user's file, of the machine's and those that are shipped. Of equal names the first counts.
 *
 * @throws Failure of one line for a file that is wrong.
 */
export async function trustedAgents(places: Places): Promise<TrustedAgent[]> {
  const agents = new Map<string, TrustedAgent>();
  for (const { from, folder } of trustedFolders(places)) {
    const file = configurationFile(folder);
    if (file === undefined) continue;
    for (const [name, entry] of await readEntries(readOptionFile("the configuration", file), file))
      if (!agents.has(name)) agents.set(name, { ...entry, name, from, file, node: undefined });
  }
  for (const [name, entry] of wellKnownAgents)
    if (!agents.has(name)) agents.set(name, { ...entry, name, from: "shipped", file: undefined });
  return [...agents.values()];
}

/**
 * Reads the agents of the project's file, `.askwire/config.toml` or `config.json` in the work folder.
 *
 * @throws Failure of one line for a file that is wrong, and for a work folder that does not exist.
 */
export async function projectAgents({ workDir, env }: Places): Promise<ProjectAgent[]> {
  const folder = realFolder(workDir);
  const file = configurationFile(join(folder, ".askwire"));
  // In the home directory the project's file is the user's own.
  if (file === undefined || isSame(file, configurationFile(shareFolder(env, { kimi: false })))) return [];
  const entries = await readEntries(readForeignFile(file), file);
  return [...entries].map(([name, entry]) => {
    if (JSON.stringify(entry).length > MOST_SHOWN)
      throw usageFailure(`${file}: agents.${name}: expected at most ${MOST_SHOWN} characters to approve`);
    return { ...entry, name, from: "project", file, folder };
  });
}

/**
 * The real path of a work folder, by which approvals are kept.
 *
 * @throws Failure where there is no such folder.
 */
export function realFolder(workDir: string): string {
  try {
    return realpathSync(workDir);
  } catch {
    throw usageFailure(`--work-dir ${workDir}: no such folder`);
  }
}

export const isSame = (file: string, own: string | undefined) =>
  own !== undefined && realpathSync(file) === realpathSync(own);

/** Reads a file of a project; a pipe or a device would never end. */
export function readForeignFile(file: string): string {
  const found = statSync(file);
  if (!found.isFile() || found.size > MOST_PROJECT_BYTES)
    throw usageFailure(`${file}: expected a file of at most ${MOST_PROJECT_BYTES / 1024} KiB`);
  return readFileSync(file, "utf8");
}
