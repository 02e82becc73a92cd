import { existsSync, statSync } from "node:fs";
import { askUserQuestion, modelAgent } from "@askwire/server";
import { commandServer, serveStandardStreams } from "../agents/agent-server.js";
import { configuredModel, readConfiguration } from "../agents/configuration.js";
import { usageFailure } from "../failure.js";
import { readOptionFile } from "../read-file.js";

/** The launch flags of `kimi --wire`. */
export interface WireOptions {
  readonly workDir?: string;
  readonly model?: string;
  readonly config?: string;
  readonly configFile?: string;
  readonly maxStepsPerTurn?: number;
  readonly yolo?: boolean;
  readonly afk?: boolean;
  /** Flags that are accepted, so that a client can launch this instead, and have no effect here. */
  readonly unused: readonly string[];
}

/** Takes the place of `kimi --wire`: serves the configured model over standard input and output. */
export async function wire(options: WireOptions): Promise<void> {
  for (const flag of options.unused) process.stderr.write(`askwire: ${flag} has no effect\n`);
  if (options.workDir !== undefined) enter(options.workDir);
  const configuration = configurationOf(options);
  const model = configuredModel(configuration, options.model);
  const maxSteps = options.maxStepsPerTurn ?? configuration.loop_control?.max_steps_per_turn;
  const server = commandServer({
    agent: () => modelAgent({ model, tools: [askUserQuestion] }),
    yolo: options.yolo ?? false,
    attendance: options.afk ? "decline" : "attended",
    ...(maxSteps === undefined ? {} : { maxStepsPerTurn: maxSteps }),
  });
  await serveStandardStreams(server);
}

function configurationOf({ config, configFile }: WireOptions) {
  if (config !== undefined) return readConfiguration(config, "--config");
  if (configFile !== undefined)
    return readConfiguration(readOptionFile("--config-file", configFile), configFile);
  return readConfiguration("{}", "the default configuration");
}

function enter(folder: string): void {
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw usageFailure(`--work-dir ${folder}: no such folder`);
  process.chdir(folder);
}
