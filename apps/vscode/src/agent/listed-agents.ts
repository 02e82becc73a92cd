// The agents that the bundled command knows by their names: what `askwire agents --json` prints.
import { execFile } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { promisify } from "node:util";
import * as z from "zod/mini";
import { type AgentSettings, startEnvironment } from "./agent-command.js";

const ListedAgent = z.looseObject({
  name: z.string(),
  /** The place that names it: `user`, `machine`, `shipped` or `project`. */
  from: z.string(),
  command: z.nullable(z.array(z.string())),
  /** `wire`, `acp`, or null where its first answer tells; `mcp` for a server of tools, which is no agent. */
  protocol: z.nullable(z.string()),
  /** The version of Node.js that it asks for. */
  node: z.nullish(z.string()),
  /** `approved` for a project's agent that a person has approved, null for one that needs no approval. */
  approval: z.nullable(z.string()),
});
/** An agent with a name. */
export type ListedAgent = z.output<typeof ListedAgent>;

/** The most time and bytes of the list. */
const bounds = { timeout: 20_000, maxBuffer: 1024 * 1024 };

/**
 * Lists the agents that have a name, those of the project in the folder included.
 *
 * @param extension the folder of the extension.
 * @throws Error with the last words of the command, such as on a configuration that is wrong.
 */
export async function listedAgents(
  extension: string,
  cwd: string | undefined,
  settings: AgentSettings,
): Promise<readonly ListedAgent[]> {
  const args = [join(extension, "dist/agent.js"), "agents", "--json"];
  const env = startEnvironment(process.env, settings, undefined);
  const options = { ...bounds, env, ...(cwd !== undefined && { cwd }) };
  const { stdout } = await promisify(execFile)(process.execPath, args, options).catch((error: unknown) => {
    const said = error instanceof Error && "stderr" in error ? String(error.stderr).trim() : "";
    throw new Error(said === "" ? String(error) : said, { cause: error });
  });
  const lines = stdout.split("\n").filter((line) => line !== "");
  const listed = lines.map((line) => ListedAgent.parse(JSON.parse(line)));
  return listed.filter(({ protocol }) => protocol !== "mcp");
}

/** True where a program is installed: a file that runs, at its path or in a folder of PATH. */
export function isInstalled(program: string, env: NodeJS.ProcessEnv): boolean {
  const ends = process.platform === "win32" ? (env.PATHEXT ?? ".EXE;.CMD;.BAT").split(";").concat("") : [""];
  const folders =
    isAbsolute(program) || /[/\\]/.test(program) ? [""] : (env.PATH ?? "").split(delimiter).filter(Boolean);
  return folders.some((folder) => ends.some((end) => canRun(join(folder, `${program}${end}`))));
}

function canRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
