import type { Attendance, ServerOptions } from "@askwire/server";
import { readDefaultConfiguration } from "./configuration.js";
import { namedModel } from "./configured-model.js";
import { requireFolder, workAgent } from "./work-agent.js";

/** The parts of a server's options that describe its agent. */
export type ServedAgent = Pick<ServerOptions, "agent" | "agentName" | "maxStepsPerTurn" | "dialects">;

/**
 * Makes the agent of `--model`, with the settings of the configuration.
 *
 * @param withTools set if the agent brings the tools for the folder itself.
 */
export async function namedAgent(
  name: string,
  workDir: string,
  attended: Attendance | undefined,
  withTools: boolean,
): Promise<ServedAgent> {
  requireFolder(workDir);
  const { env } = process;
  const configuration = await readDefaultConfiguration(env, { kimi: false });
  const { maxAttemptsPerStep, maxStepsPerTurn } = configuration;
  const model = namedModel(configuration, name, env);
  return {
    agentName: `model ${name}`,
    agent: workAgent({ model, workDir, maxAttemptsPerStep, attended, brings: () => withTools }),
    ...(maxStepsPerTurn === undefined ? {} : { maxStepsPerTurn }),
  };
}
