import type { StatusUpdate } from "@askwire/protocol";
import type { Model } from "../agent/model.js";

/** How much of a model's context is used, as StatusUpdate tells it; null where the size of the model is unknown. */
export function contextFigures(
  tokens: number,
  { maxContextTokens: max }: Pick<Model, "maxContextTokens">,
): Pick<StatusUpdate, "context_usage" | "context_tokens" | "max_context_tokens"> {
  return {
    context_usage: max === undefined ? null : tokens / max,
    context_tokens: tokens,
    max_context_tokens: max ?? null,
  };
}
