import type { Attendance } from "@askwire/server";
import type { ServedAgent } from "./agent-server.js";
import { readDefaultConfiguration } from "./configuration.js";
import { namedModel } from "./configured-model.js";
import { requireFolder, workAgent } from "./work-agent.js";

/** The agent of `--model`, with what the configuration says of it. */
export async function namedAgent(
  name: string,
  workDir: string,
  attended: Attendance | undefined,
): Promise<ServedAgent> {
  requireFolder(workDir);
  const { env } = process;
  const configuration = await readDefaultConfiguration(env, { kimi: false });
  const { maxAttemptsPerStep, maxStepsPerTurn } = configuration;
  const model = namedModel(configuration, name, env);
  return {
    agent: workAgent({ model, workDir, maxAttemptsPerStep, attended }),
    ...(maxStepsPerTurn === undefined ? {} : { maxStepsPerTurn }),
  };
}
