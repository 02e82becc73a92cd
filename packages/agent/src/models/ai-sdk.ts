import { type Model, ModelError } from "@askwire/server";
import type { LanguageModel } from "ai";

/** Facts about a language model that the SDK does not give. */
export interface AiModelOptions extends Pick<Model, "maxContextTokens" | "inputs" | "login"> {
  /** The name in messages. Default: the id of the language model. */
  readonly name?: string;
}

/**
 * Makes a model of any language model of the AI SDK (`ai` 6), from any provider. The SDK takes a single step, runs no
 * tool and does not retry. `ai` is loaded at the first call.
 *
 * Failures are a `ModelError`: see `retryable`.
 */
export function aiModel(languageModel: LanguageModel, options: AiModelOptions = {}): Model {
  return {
    name: typeof languageModel === "string" ? languageModel : languageModel.modelId,
    ...options,
    async *stream(request) {
      const { streamStep } = await import("./ai-sdk-step.js").catch(withNextStep);
      yield* streamStep(languageModel, request, options.inputs);
    },
  };
}

/** @throws ModelError with the next step where the package is missing, which is an optional peer; else the error. */
function withNextStep(error: NodeJS.ErrnoException): never {
  if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
  const message = "aiModel: the package `ai` is not installed: run `npm install ai@6` beside @askwire/server";
  throw new ModelError("request", message, undefined, { cause: error });
}
