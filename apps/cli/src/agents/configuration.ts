import { describeIssues } from "@askwire/protocol";
import { type Model, scriptedModel } from "@askwire/server";
import * as z from "zod/mini";
import { usageFailure } from "../failure.js";
import { parseJson } from "../parse-json.js";
import { readOptionFile } from "../read-file.js";

const text = z._default(z.string(), "");

/** The configuration that `kimi --wire` reads, as far as it concerns the agent. Unknown keys are ignored. */
const Configuration = z.looseObject({
  default_model: text,
  models: z._default(
    z.record(
      z.string(),
      z.looseObject({
        provider: z.string(),
        model: z.string(),
        max_context_size: z.int().check(z.minimum(1)),
        capabilities: z.optional(z.nullable(z.array(z.string()))),
      }),
    ),
    {},
  ),
  providers: z._default(
    z.record(
      z.string(),
      z.looseObject({
        type: z.string(),
        base_url: text,
        api_key: text,
        env: z.optional(z.nullable(z.record(z.string(), z.string()))),
      }),
    ),
    {},
  ),
  loop_control: z.optional(
    z.looseObject({
      max_steps_per_turn: z.optional(z.int().check(z.minimum(1))),
      max_retries_per_step: z.optional(z.int()),
    }),
  ),
});
export type Configuration = z.output<typeof Configuration>;

/** How TOML begins: after comments, with a key or the name of a table. */
const TOML = /^(\s*#.*\n)*\s*([\w."'-]+\s*=|\[+[a-z_])/i;

/**
 * Reads a configuration, JSON.
 *
 * @param source what to call it in messages: the option and, if it is one, the file.
 */
export function readConfiguration(json: string, source: string): Configuration {
  const parsed = Configuration.safeParse(parse(json, source));
  if (!parsed.success) throw usageFailure(`${source}: ${describeIssues(parsed.error.issues)}`);
  return parsed.data;
}

function parse(json: string, source: string): unknown {
  try {
    return parseJson(json, source);
  } catch (error) {
    if (!TOML.test(json)) throw error;
    throw usageFailure(`${source}: this is TOML; expected JSON, which is all that is read for now`);
  }
}

/** Every provider type that this command has, with how it makes a model. */
const providerTypes = {
  _scripted_echo: (provider, model) => {
    const file = provider.env?.KIMI_SCRIPTED_ECHO_SCRIPTS;
    if (file === undefined || file === "") {
      throw usageFailure(
        "provider type _scripted_echo: env.KIMI_SCRIPTED_ECHO_SCRIPTS: expected a file of scripts",
      );
    }
    const scripts = readList(readOptionFile("KIMI_SCRIPTED_ECHO_SCRIPTS", file), file);
    return { ...scriptedModel(scripts, model.model), maxContextTokens: model.max_context_size };
  },
} satisfies Record<string, (provider: Provider, model: ModelEntry) => Model>;
type Provider = Configuration["providers"][string];
type ModelEntry = Configuration["models"][string];

/** The scripts as they are: what is wrong in one is the provider's error at its call, as in the original. */
function readList(json: string, file: string): string[] {
  try {
    return z.array(z.string()).parse(JSON.parse(json));
  } catch {
    throw usageFailure(`${file}: expected a JSON array of strings, one for each model call`);
  }
}

/** Makes the configured model; undefined if none is configured, which a prompt is then told. */
export function configuredModel(configuration: Configuration, name: string | undefined): Model | undefined {
  const wanted = name ?? configuration.default_model;
  if (wanted === "") return undefined;
  const entry = configuration.models[wanted];
  if (entry === undefined)
    throw usageFailure(`model "${wanted}" is not in the configuration: add it under models`);
  const provider = configuration.providers[entry.provider];
  if (provider === undefined) {
    throw usageFailure(
      `models.${wanted}.provider: "${entry.provider}" is not in the configuration: add it under providers`,
    );
  }
  if (!Object.hasOwn(providerTypes, provider.type)) {
    const known = Object.keys(providerTypes).join(", ");
    throw usageFailure(`providers.${entry.provider}.type: "${provider.type}" is not one of ${known}`);
  }
  return providerTypes[provider.type as keyof typeof providerTypes](provider, entry);
}
