import type { Attendance, ServerOptions } from "@askwire/server";
import type { AskServerApproval } from "../by-name/configured-servers.js";
import { readKeysFile } from "../input/keys-file.js";
import { readDefaultConfiguration } from "./configuration.js";
import { namedModel } from "./configured-model.js";
import { mcpToolSets } from "./mcp-tool-sets.js";
import { workAgent } from "./work-agent.js";

/** The parts of a server's options that describe its agent. */
export type ServedAgent = Pick<ServerOptions, "agent" | "agentName" | "maxStepsPerTurn" | "dialects">;

/**
 * Makes the agent of `--model`, with the settings of the configuration.
 *
 * @param withTools set if the agent brings the tools for the folder itself.
 * @param ask shows a person a project's server of MCP; undefined where nobody can be asked.
 * @param keysFile has the keys of providers, which come before those of the environment. Default: the environment alone.
 */
export async function namedAgent(
  name: string,
  workDir: string,
  attended: Attendance | undefined,
  withTools: boolean,
  ask: AskServerApproval | undefined,
  keysFile: string | undefined,
): Promise<ServedAgent> {
  const { env } = process;
  const keys = keysFile === undefined ? {} : readKeysFile(keysFile);
  const configuration = await readDefaultConfiguration(env, { kimi: false });
  const { maxAttemptsPerStep, maxStepsPerTurn } = configuration;
  const model = namedModel(configuration, name, { ...env, ...keys });
  const toolSets = await mcpToolSets(workDir, ask);
  return {
    agentName: `model ${name}`,
    agent: workAgent({ model, workDir, maxAttemptsPerStep, attended, brings: () => withTools, toolSets }),
    ...(maxStepsPerTurn === undefined ? {} : { maxStepsPerTurn }),
  };
}
