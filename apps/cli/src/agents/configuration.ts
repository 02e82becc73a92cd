import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { describeIssues } from "@askwire/protocol";
import { shareFolder } from "@askwire/server";
import * as z from "zod/mini";
import { usageFailure } from "../input/failure.js";
import { configurationFile, parseConfiguration } from "../input/parse-configuration.js";
import { readOptionFile } from "../input/read-file.js";

const text = z._default(z.string(), "");
const count = z.optional(z.int().check(z.minimum(1)));

const ModelEntry = z.object({
  provider: z.string(),
  model: z.string(),
  max_context_size: z.int().check(z.minimum(1)),
  capabilities: z.optional(z.nullable(z.array(z.string()))),
});
export type ModelEntry = z.output<typeof ModelEntry>;

const texts = z.optional(z.nullable(z.record(z.string(), z.string())));
const Provider = z.object({
  type: z.string(),
  base_url: text,
  api_key: text,
  env: texts,
  custom_headers: texts,
  oauth: z.optional(z.nullable(z.object({}))),
});
export type Provider = z.output<typeof Provider>;

/** The configuration that `kimi --wire` reads, as far as the agent needs it. Unknown keys are ignored. */
const Configuration = z.object({
  default_model: text,
  models: z._default(z.record(z.string(), ModelEntry), {}),
  providers: z._default(z.record(z.string(), Provider), {}),
  loop_control: z.optional(
    z.object({ max_steps_per_turn: count, max_steps_per_run: count, max_retries_per_step: count }),
  ),
});

export interface Configuration {
  /** The name of the configuration in messages. */
  readonly source: string;
  readonly defaultModel: string;
  readonly models: ReadonlyMap<string, ModelEntry>;
  readonly providers: ReadonlyMap<string, Provider>;
  /** The most steps of a turn. Default: undefined, for the server's own bound. */
  readonly maxStepsPerTurn: number | undefined;
  /**
   * Attempts at a step that fails at the provider, the first included. Default: undefined, for the agent's own
   * number.
   */
  readonly maxAttemptsPerStep: number | undefined;
}

/**
 * Reads a configuration; its first character decides between JSON and TOML.
 *
 * @param source the name for messages: the option, or the file if the option names a file.
 * @throws Failure of one line that names the source, the place and what was expected.
 */
export async function readConfiguration(content: string, source: string): Promise<Configuration> {
  const value = await parseConfiguration(content, source);
  const parsed = Configuration.safeParse(value);
  if (!parsed.success) throw usageFailure(`${source}: ${describeIssues(parsed.error.issues)}`);
  const { default_model, models, providers, loop_control } = parsed.data;
  return {
    source,
    defaultModel: default_model,
    models: new Map(Object.entries(models)),
    providers: new Map(Object.entries(providers)),
    maxStepsPerTurn: loop_control?.max_steps_per_turn ?? loop_control?.max_steps_per_run,
    maxAttemptsPerStep: loop_control?.max_retries_per_step,
  };
}

/** Reads a person's own configuration, or Kimi CLI's where this command takes its place. Empty if there is no file. */
export async function readDefaultConfiguration(
  env: NodeJS.ProcessEnv,
  { kimi }: { readonly kimi: boolean },
): Promise<Configuration> {
  const folder = kimi ? resolve(env.KIMI_SHARE_DIR || join(homedir(), ".kimi")) : shareFolder(env, { kimi });
  const file = configurationFile(folder);
  return file === undefined
    ? readConfiguration("{}", join(folder, "config.toml"))
    : readConfiguration(readOptionFile("the configuration", file), file);
}
