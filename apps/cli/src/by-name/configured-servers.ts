// The servers of MCP of the user's file, of the machine's and of the project's, which a person approves first.
import { approvalOf, type CommandApproval, keepApproval } from "./approvals.js";
import { type Places, projectFile, type TrustedFile, trustedFiles } from "./entry-files.js";
import { type ProjectServer, readServers, type ServerEntry } from "./server-entry.js";

/** The prefix of the name under which a project's server is approved, which tells it from agents. */
export const SERVER_PREFIX = "mcpServers/";

/** A server that needs no approval. */
export interface TrustedServer extends Omit<ProjectServer, "from" | "folder"> {
  readonly from: TrustedFile["from"];
}

/** A server of a configuration. */
export type KnownServer = TrustedServer | ProjectServer;

/** Shows a person the whole content of a project's server. Resolves with true only if the person approves that. */
export type AskServerApproval = (
  server: ProjectServer,
  approval: Exclude<CommandApproval, "approved">,
) => Promise<boolean>;

/**
 * Finds the servers that the agent may use. Of equal names the user's counts, then the machine's, then the project's.
 *
 * @param ask undefined where nobody can be asked: servers that are not approved are then left out.
 * @param say reports a server that is left out.
 * @throws Failure of one line for a file that is wrong.
 */
export async function configuredServers(
  places: Places,
  ask: AskServerApproval | undefined,
  say: (line: string) => void,
): Promise<ReadonlyMap<string, ServerEntry>> {
  const trusted = await trustedServers(places);
  const servers = new Map(trusted.map(({ name, server }) => [name.slice(SERVER_PREFIX.length), server]));
  for (const project of await projectServers(places)) {
    const name = project.name.slice(SERVER_PREFIX.length);
    if (servers.has(name)) continue;
    const approval = approvalOf(project, places.env);
    if (approval !== "approved") {
      if (ask === undefined || !(await ask(project, approval))) {
        say(
          `the MCP server ${name} of ${project.file} is not approved and left out: askwire agents approve ${project.name}`,
        );
        continue;
      }
      keepApproval(project, places.env);
    }
    servers.set(name, project.server);
  }
  return servers;
}

/** Reads the servers of the user's file and of the machine's. Of equal names the user's counts. */
export async function trustedServers(places: Places): Promise<TrustedServer[]> {
  const servers = new Map<string, TrustedServer>();
  for (const { from, file, content } of trustedFiles(places))
    for (const [plain, server] of await readServers(content, file)) {
      const name = `${SERVER_PREFIX}${plain}`;
      if (!servers.has(name)) servers.set(name, { name, from, file, server });
    }
  return [...servers.values()];
}

/** Reads the servers of the project's file, `.askwire/config.toml` or `config.json` in the work folder. */
export async function projectServers(places: Places): Promise<ProjectServer[]> {
  const project = projectFile(places);
  if (project === undefined) return [];
  const { file, folder, content, fitsScreen } = project;
  return [...(await readServers(content, file))].map(([name, server]) => {
    fitsScreen(`mcpServers.${name}`, server);
    return { name: `${SERVER_PREFIX}${name}`, from: "project", file, folder, server };
  });
}
