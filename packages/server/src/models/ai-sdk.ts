import type { LanguageModel } from "ai";
import { type Model, ModelError } from "../agent/model.js";

/** What our runtime is to know of a language model, which does not say so itself. */
export interface AiModelOptions extends Pick<Model, "maxContextTokens" | "inputs" | "login"> {
  /** What messages call it by. Default: the id of the language model. */
  readonly name?: string;
}

/**
 * Makes a model of any language model of the AI SDK (`ai` 6), whatever its provider. Only one step is taken at a time
 * and no tool is run by the SDK; it is not asked to retry either. `ai` is loaded at the first call.
 *
 * Its failures are a `ModelError`: see `retryable`.
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
