import type { StatusUpdate } from "@askwire/protocol";
import type { Model } from "@askwire/server";

/** The used part of a model's context, for StatusUpdate; null if the size of the context is unknown. */
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
