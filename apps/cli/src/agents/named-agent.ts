import type { Attendance, ServerOptions } from "@askwire/server";
import { readDefaultConfiguration } from "./configuration.js";
import { namedModel } from "./configured-model.js";
import { requireFolder, workAgent } from "./work-agent.js";

/** What a server needs of an agent. */
export type ServedAgent = Pick<ServerOptions, "agent" | "maxStepsPerTurn" | "dialects">;

/**
 * The agent of `--model`, with what the configuration says of it.
 *
 * @param withTools whether it brings the tools that work in the folder itself.
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
    agent: workAgent({ model, workDir, maxAttemptsPerStep, attended, brings: () => withTools }),
    ...(maxStepsPerTurn === undefined ? {} : { maxStepsPerTurn }),
  };
}
