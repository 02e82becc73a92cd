import { commandServer, serveStandardStreams } from "../agents/agent-server.js";
import { chosenDialects } from "../agents/chosen-dialects.js";
import { type Configuration, readConfiguration, readDefaultConfiguration } from "../agents/configuration.js";
import { defaultModel, namedModel } from "../agents/configured-model.js";
import { keptSessions, type SessionOptions } from "../agents/kept-sessions.js";
import { requireFolder, workAgent } from "../agents/work-agent.js";
import { readOptionFile } from "../read-file.js";

/** The launch flags of `kimi --wire`, and `--dialect`. */
export interface WireOptions extends SessionOptions {
  readonly workDir?: string;
  readonly model?: string;
  /** How the model asks: names of dialects, separated by commas. Default: `kimi`. */
  readonly dialect?: string;
  readonly config?: string;
  readonly configFile?: string;
  readonly maxStepsPerTurn?: number;
  readonly yolo?: boolean;
  readonly afk?: boolean;
  readonly rawErrors?: boolean;
  /** Flags that are accepted, so that a client can launch this instead, and have no effect here. */
  readonly unused: readonly string[];
}

/** Takes the place of `kimi --wire`: serves the configured model over standard input and output. */
export async function wire(options: WireOptions): Promise<void> {
  for (const flag of options.unused) process.stderr.write(`askwire: ${flag} has no effect\n`);
  if (options.workDir !== undefined) {
    requireFolder(options.workDir);
    process.chdir(options.workDir);
  }
  const { dialects, bringTools } = await chosenDialects(options.dialect, process.cwd());
  const { env } = process;
  const configuration = await configurationOf(options, env);
  const model =
    options.model === undefined
      ? defaultModel(configuration, env)
      : namedModel(configuration, options.model, env);
  const maxSteps = options.maxStepsPerTurn ?? configuration.maxStepsPerTurn;
  const { place, sessionId } = keptSessions(options, process.cwd(), { kimi: true });
  const server = commandServer({
    place,
    dialects,
    agent: workAgent({
      model,
      workDir: process.cwd(),
      maxAttemptsPerStep: configuration.maxAttemptsPerStep,
      withTools: !bringTools,
    }),
    yolo: options.yolo ?? false,
    attendance: options.afk ? "decline" : "attended",
    rawErrors: options.rawErrors ?? false,
    ...(maxSteps === undefined ? {} : { maxStepsPerTurn: maxSteps }),
  });
  await serveStandardStreams(server, sessionId);
}

async function configurationOf(
  { config, configFile }: WireOptions,
  env: NodeJS.ProcessEnv,
): Promise<Configuration> {
  if (config !== undefined) return readConfiguration(config, "--config");
  if (configFile !== undefined)
    return readConfiguration(readOptionFile("--config-file", configFile), configFile);
  return readDefaultConfiguration(env, { kimi: true });
}
