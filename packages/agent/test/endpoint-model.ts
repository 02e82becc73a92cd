import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { Model } from "@askwire/server";
import { aiModel } from "../src/ai.js";

/** A model of the chat completions protocol at an endpoint of a test. */
export const endpointModel = (url: string, more: Partial<Model> = {}): Model => ({
  ...aiModel(createOpenAICompatible({ name: "test", baseURL: url, apiKey: "key-1" })("small")),
  ...more,
});
