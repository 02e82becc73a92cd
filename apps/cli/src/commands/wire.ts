import { resolve } from "node:path";
import type { Model } from "@askwire/server";
import { commandServer, serveStandardStreams } from "../agents/agent-server.js";
import { chosenDialects } from "../agents/chosen-dialects.js";
import { type Configuration, readConfiguration, readDefaultConfiguration } from "../agents/configuration.js";
import { defaultModel, namedModel } from "../agents/configured-model.js";
import { keptSessions } from "../agents/kept-sessions.js";
import { type Environment, IncompleteModel } from "../agents/model-providers.js";
import { workAgent } from "../agents/work-agent.js";
import type { KimiFlags } from "../command-line/kimi-flags.js";
import { usageFailure } from "../input/failure.js";
import { readOptionFile } from "../input/read-file.js";
import { requireFolder } from "../input/require-folder.js";
import { withInbox } from "./registered.js";

/**
 * Takes the place of `kimi --wire`: serves the configured model over standard input and output.
 *
 * @param unused given flags without effect here, accepted so that a client of `kimi` can launch this command.
 */
export async function wire(options: KimiFlags, unused: readonly string[]): Promise<void> {
  // The path is relative to the folder where the command was started.
  const agentFile = options.agentFile === undefined ? undefined : resolve(options.agentFile);
  for (const flag of unused) process.stderr.write(`askwire: ${flag} has no effect\n`);
  if (options.workDir !== undefined) {
    requireFolder(options.workDir);
    process.chdir(options.workDir);
  }
  const workDir = process.cwd();
  const { dialects, brings, prompt } = await agentOf({ ...options, agentFile }, workDir);
  const { env } = process;
  const configuration = await configurationOf(options, env);
  const model = modelOf(options, configuration, env);
  const maxSteps = options.maxStepsPerTurn ?? configuration.maxStepsPerTurn;
  const { place, sessionId } = keptSessions(options, workDir, { kimi: true });
  const server = commandServer({
    place,
    dialects,
    agent: workAgent({
      model,
      workDir,
      maxAttemptsPerStep: configuration.maxAttemptsPerStep,
      brings,
      prompt,
    }),
    yolo: options.yolo ?? options.autoApprove ?? false,
    attendance: options.afk ? "decline" : "attended",
    rawErrors: options.rawErrors ?? false,
    resume: options.resume,
    ...(maxSteps === undefined ? {} : { maxStepsPerTurn: maxSteps }),
  });
  // A client of kimi is promised this refusal.
  await withInbox(server, { name: "askwire --wire" }, () =>
    serveStandardStreams(server, sessionId, { stringIds: true }),
  );
}

/** The agent: its question tools, its tools for the folder, and its instructions. */
async function agentOf(
  { dialect, agentFile }: { readonly dialect?: string; readonly agentFile: string | undefined },
  workDir: string,
) {
  const { dialects, bringTools } = await chosenDialects(dialect, workDir);
  if (agentFile === undefined) return { dialects, brings: () => !bringTools };
  if (bringTools) throw usageFailure(`--dialect ${dialect} brings its own tools: leave --agent-file out`);
  const { readAgentFile } = await import("../agents/agent-file.js");
  const { tools, prompt, missing } = readAgentFile(agentFile, workDir);
  for (const path of missing)
    process.stderr.write(`askwire: --agent-file: ${path} is not available here: the agent runs without it\n`);
  const asks = tools.has("AskUserQuestion");
  return { dialects: asks ? dialects : [], brings: (tool: string) => tools.has(tool), prompt };
}

/** The configured model. Prompts are told about a model that is not fully configured, as in Kimi CLI. */
function modelOf({ model }: KimiFlags, configuration: Configuration, env: Environment): Model | undefined {
  try {
    return model === undefined ? defaultModel(configuration, env) : namedModel(configuration, model, env);
  } catch (error) {
    if (!(error instanceof IncompleteModel)) throw error;
    process.stderr.write(`askwire: ${error.message}\n`);
    return undefined;
  }
}

async function configurationOf(
  { config, configFile }: KimiFlags,
  env: NodeJS.ProcessEnv,
): Promise<Configuration> {
  if (config !== undefined) return readConfiguration(config, "--config");
  if (configFile !== undefined)
    return readConfiguration(readOptionFile("--config-file", configFile), configFile);
  return readDefaultConfiguration(env, { kimi: true });
}
