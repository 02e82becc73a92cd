import { scriptedModel } from "@askwire/agent";
import type { Model } from "@askwire/server";
import * as z from "zod/mini";
import { CommandFailure, usageFailure } from "../input/failure.js";
import { keyVariables } from "../input/provider-keys.js";
import { readOptionFile } from "../input/read-file.js";
import type { ModelEntry, Provider } from "./configuration.js";
import { openAiCompatibleModel } from "./openai-compatible.js";

/** The parts of a model, with a name for the fields of each in messages. */
export interface ModelParts {
  readonly provider: Provider;
  readonly providerName: string;
  /** The model's entry, with undefined for unknown values. */
  readonly model: Omit<ModelEntry, "provider" | "max_context_size"> & { readonly max_context_size?: number };
  readonly modelName: string;
}

/** A model whose name or provider's address is configured as empty, so that it cannot be asked. */
export class IncompleteModel extends CommandFailure {
  constructor(message: string) {
    super(message, 2);
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Every provider type of this command, each with the function that makes a model. */
export const providerTypes = {
  _scripted_echo: ({ provider, providerName, model }, env) => {
    const file = provider.env?.KIMI_SCRIPTED_ECHO_SCRIPTS || env.KIMI_SCRIPTED_ECHO_SCRIPTS;
    if (file === undefined || file === "") {
      throw usageFailure(`${providerName}.env.KIMI_SCRIPTED_ECHO_SCRIPTS: expected a file of scripts`);
    }
    const scripts = readList(readOptionFile("KIMI_SCRIPTED_ECHO_SCRIPTS", file), file);
    return { ...scriptedModel(scripts, model.model), ...facts(model) };
  },
  openai_legacy: ({ provider, providerName, model, modelName }, env) =>
    openAiCompatibleModel({
      ...facts(model),
      name: named(model, `${modelName}.model: expected a name`),
      baseUrl: address(env, "OPENAI_BASE_URL", provider.base_url, `${providerName}.base_url`),
      ...key(env, keyVariables.openai_legacy, provider.api_key, `${providerName}.api_key`),
      headers: provider.custom_headers ?? {},
      login: isLogin(provider),
    }),
  kimi: ({ provider, providerName, model, modelName }, env) => {
    const entry = withKimiEnvironment(model, env);
    return openAiCompatibleModel({
      ...facts(entry),
      name: named(entry, `${modelName}.model: expected a name, or set KIMI_MODEL_NAME to it`),
      baseUrl: address(env, "KIMI_BASE_URL", provider.base_url || KIMI_BASE_URL, `${providerName}.base_url`),
      ...key(env, keyVariables.kimi, provider.api_key, `${providerName}.api_key`),
      headers: provider.custom_headers ?? {},
      login: isLogin(provider),
      maxTokens: number(env.KIMI_MODEL_MAX_TOKENS, "KIMI_MODEL_MAX_TOKENS") ?? KIMI_MAX_TOKENS,
    });
  },
} satisfies Record<string, (parts: ModelParts, env: Environment) => Model>;

const KIMI_BASE_URL = "https://api.moonshot.ai/v1";
/** The longest answer of a Kimi model, in tokens. The provider's own default is too small for an agent. */
const KIMI_MAX_TOKENS = 32_000;

/** Applies the environment to a model of the Kimi provider. As in Kimi CLI, the environment comes before the file. */
function withKimiEnvironment(model: ModelParts["model"], env: Environment): ModelParts["model"] {
  const size = number(env.KIMI_MODEL_MAX_CONTEXT_SIZE, "KIMI_MODEL_MAX_CONTEXT_SIZE");
  const capabilities = env.KIMI_MODEL_CAPABILITIES?.split(",").map((name) => name.trim().toLowerCase());
  return {
    ...model,
    model: env.KIMI_MODEL_NAME || model.model,
    ...(size === undefined ? {} : { max_context_size: size }),
    ...(env.KIMI_MODEL_CAPABILITIES ? { capabilities } : {}),
  };
}

/**
 * The kinds of content for each capability; capabilities such as `thinking` have none.
 * As in Kimi CLI, a model of pictures and films takes sounds too.
 */
export const capabilityInputs = {
  image_in: "image_url",
  video_in: "video_url",
  audio_in: "audio_url",
} as const;

/** Models that take pictures and films even if no configuration says so. */
const KIMI_CODE = ["kimi-for-coding", "kimi-code"];

function facts(model: ModelParts["model"]): Pick<Model, "maxContextTokens" | "inputs"> {
  const implied = KIMI_CODE.includes(model.model) ? ["image_in", "video_in"] : [];
  const known = new Set([...(model.capabilities ?? []), ...implied]);
  if (known.has("image_in") && known.has("video_in")) known.add("audio_in");
  const inputs = Object.entries(capabilityInputs).flatMap(([name, input]) =>
    known.has(name) ? [input] : [],
  );
  const { max_context_size } = model;
  return { inputs, ...(max_context_size === undefined ? {} : { maxContextTokens: max_context_size }) };
}

function named({ model }: ModelParts["model"], otherwise: string): string {
  if (model === "") throw new IncompleteModel(otherwise);
  return model;
}

const isLogin = ({ oauth }: Provider) => oauth !== undefined && oauth !== null;

/** The address of a provider, from the environment or else from the file, at `place`. */
function address(env: Environment, variable: string, url: string, place: string): string {
  const [found, name] = env[variable] ? [env[variable], variable] : [url, place];
  if (/^https?:\/\//i.test(found) && URL.canParse(found)) return found;
  if (found === "")
    throw new IncompleteModel(`${name}: expected the provider's address, or set ${variable} to it`);
  throw usageFailure(`${name}: expected an http or https address, found ${JSON.stringify(found)}`);
}

/** The key, from the environment or else from the file, at `place`. */
function key(env: Environment, variable: string, given: string, place: string) {
  const fromFile = !env[variable] && given !== "";
  return { apiKey: env[variable] || given, keyPlace: fromFile ? place : variable };
}

function number(value: string | undefined, variable: string): number | undefined {
  if (value === undefined || value === "") return undefined;
  const parsed = Number(value);
  if (Number.isSafeInteger(parsed) && parsed >= 1) return parsed;
  throw usageFailure(`${variable}=${value}: expected a whole number from 1`);
}

/** Reads the scripts unchecked. As in the original, a mistake is the provider's error at its call. */
function readList(json: string, file: string): string[] {
  try {
    return z.array(z.string()).parse(JSON.parse(json));
  } catch {
    throw usageFailure(`${file}: expected a JSON array of strings, one for each model call`);
  }
}
