import { createOpenAICompatible, type OpenAICompatibleProviderSettings } from "@ai-sdk/openai-compatible";
import { aiModel } from "@askwire/agent/ai";
import type { Model } from "@askwire/server";
import { wrapLanguageModel } from "ai";
import { inChatWords } from "./chat-messages.js";

/** A model of a provider that speaks the chat completions protocol of OpenAI. */
export interface OpenAiCompatibleOptions extends Omit<Model, "stream"> {
  readonly baseUrl: string;
  /** The key; empty for none. */
  readonly apiKey: string;
  /** The place of the key, for an error about a refused key. */
  readonly keyPlace: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The longest answer, in tokens. Default: the provider's. */
  readonly maxTokens?: number;
}

/** Makes the model over the AI SDK. */
export function chatCompletions(options: OpenAiCompatibleOptions): Model {
  const { baseUrl, apiKey, keyPlace: _place, headers, maxTokens, name, ...facts } = options;
  const provider = createOpenAICompatible({
    name: "chat",
    baseURL: baseUrl,
    ...(apiKey === "" ? {} : { apiKey }),
    headers,
    includeUsage: true,
    // Addresses are passed on: the provider loads the named files, not this machine.
    supportedUrls: () => ({ "*/*": [/./] }),
    transformRequestBody: (body) => (maxTokens === undefined ? body : { ...body, max_tokens: maxTokens }),
    convertUsage,
  });
  const model = wrapLanguageModel({
    model: provider.chatModel(name),
    middleware: {
      specificationVersion: "v3",
      transformParams: async ({ params }) => ({ ...params, prompt: inChatWords(params.prompt) }),
    },
  });
  return aiModel(model, { name, ...facts });
}

type ConvertUsage = NonNullable<OpenAICompatibleProviderSettings["convertUsage"]>;

/** Converts usage. The cached tokens are told in either of two places. */
function convertUsage(usage: Parameters<ConvertUsage>[0]): ReturnType<ConvertUsage> {
  const { prompt_tokens, completion_tokens, prompt_tokens_details, completion_tokens_details } = usage ?? {};
  const own = usage?.cached_tokens;
  const cacheRead = typeof own === "number" ? own : (prompt_tokens_details?.cached_tokens ?? 0);
  const total = prompt_tokens ?? undefined;
  const reasoning = completion_tokens_details?.reasoning_tokens ?? undefined;
  return {
    inputTokens: {
      total,
      noCache: total === undefined ? undefined : Math.max(0, total - cacheRead),
      cacheRead,
      cacheWrite: undefined,
    },
    outputTokens: { total: completion_tokens ?? undefined, text: undefined, reasoning },
  };
}
