import type { Model } from "@askwire/server";
import { usageFailure } from "../input/failure.js";
import type { Configuration } from "./configuration.js";
import { capabilityInputs, type Environment, type ModelParts, providerTypes } from "./model-providers.js";

/** The providers of `--model PROVIDER:MODEL`: the type of each, and the variables that a person must set. */
const directProviders = {
  "openai-compatible": {
    type: "openai_legacy",
    variable: "OPENAI_BASE_URL",
    what: "the provider's address, such as http://127.0.0.1:11434/v1",
  },
  kimi: { type: "kimi", variable: "KIMI_API_KEY", what: "your key" },
} as const;

/**
 * Makes the model that `--model` names: a model of the configuration, or PROVIDER:MODEL with address and key from the
 * environment.
 *
 * @throws Failure of one line that names the place and what was expected.
 */
export function namedModel(configuration: Configuration, name: string, env: Environment): Model {
  if (configuration.models.has(name)) return entryModel(configuration, name, env);
  const [, prefix = "", model = ""] = /^([^:]+):(.+)$/s.exec(name) ?? [];
  if (!Object.hasOwn(directProviders, prefix)) {
    const known = Object.keys(directProviders).join(", ");
    throw usageFailure(
      `--model ${name}: ${configuration.source} has no model of that name; add it there, or name PROVIDER:MODEL with a provider of ${known}`,
    );
  }
  const { type, variable, what } = directProviders[prefix as keyof typeof directProviders];
  if (!env[variable]) throw usageFailure(`--model ${name}: set ${variable} to ${what}`);
  return providerTypes[type](unconfigured(type, `--model ${name}`, model), { ...env, KIMI_MODEL_NAME: "" });
}

/** A model with nothing known but its name. */
function unconfigured(type: string, name: string, model: string, max_context_size?: number): ModelParts {
  const capabilities = Object.keys(capabilityInputs);
  return {
    provider: { type, base_url: "", api_key: "" },
    providerName: name,
    model: { model, capabilities, ...(max_context_size === undefined ? {} : { max_context_size }) },
    modelName: name,
  };
}

/** The context size in tokens of a model named by the environment alone. */
const KIMI_CONTEXT_SIZE = 100_000;

/**
 * Makes the default model of the configuration, or the model that the environment names for Kimi.
 * Undefined if there is none; a prompt is then told so.
 *
 * @throws Failure of one line that names the place and what was expected.
 */
export function defaultModel(configuration: Configuration, env: Environment): Model | undefined {
  if (configuration.defaultModel !== "") return entryModel(configuration, configuration.defaultModel, env);
  if (!env.KIMI_MODEL_NAME) return undefined;
  return providerTypes.kimi(
    unconfigured("kimi", "KIMI_MODEL_NAME", env.KIMI_MODEL_NAME, KIMI_CONTEXT_SIZE),
    env,
  );
}

function entryModel({ source, models, providers }: Configuration, name: string, env: Environment): Model {
  const model = models.get(name);
  if (model === undefined)
    throw usageFailure(
      `${source}: default_model: "${name}" is not in the configuration: add it under models`,
    );
  const modelName = `${source}: models.${name}`;
  const provider = providers.get(model.provider);
  if (provider === undefined) {
    throw usageFailure(
      `${modelName}.provider: "${model.provider}" is not in the configuration: add it under providers`,
    );
  }
  const providerName = `${source}: providers.${model.provider}`;
  if (!Object.hasOwn(providerTypes, provider.type)) {
    const known = Object.keys(providerTypes).join(", ");
    throw usageFailure(`${providerName}.type: "${provider.type}" is not one of ${known}`);
  }
  const make = providerTypes[provider.type as keyof typeof providerTypes];
  return make({ provider, providerName, model, modelName }, env);
}
