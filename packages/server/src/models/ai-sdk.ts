import type { LanguageModel } from "ai";
import type { Model } from "../agent/model.js";

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
      const { streamStep } = await import("./ai-sdk-step.js");
      yield* streamStep(languageModel, request, options.inputs);
    },
  };
}
