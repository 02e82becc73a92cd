import { type Model, ModelError } from "@askwire/server";
import type { OpenAiCompatibleOptions } from "./chat-completions.js";

/** Makes a model of chat completions. The AI SDK is loaded at its first call, so that the command starts without it. */
export function openAiCompatibleModel(options: OpenAiCompatibleOptions): Model {
  const { baseUrl: _url, apiKey: _key, keyPlace, headers: _headers, maxTokens: _max, ...facts } = options;
  let loading: Promise<Model> | undefined;
  return {
    ...facts,
    async *stream(request) {
      loading ??= import("./chat-completions.js").then(({ chatCompletions }) => chatCompletions(options));
      try {
        yield* (await loading).stream(request);
      } catch (error) {
        throw facts.login ? error : withKeyPlace(error, keyPlace);
      }
    },
  };
}

/** Adds the place of the key to the error for a refused key. */
function withKeyPlace(error: unknown, place: string): unknown {
  if (!(error instanceof ModelError) || error.status !== 401) return error;
  return new ModelError(error.kind, `${error.message}; check ${place}`, error.status, { cause: error });
}
