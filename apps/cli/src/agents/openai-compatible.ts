import { type Model, ModelError } from "@askwire/server";
import type { OpenAiCompatibleOptions } from "./chat-completions.js";

/** Makes a model of chat completions. The AI SDK is loaded at its first call, so that the command starts without it. */
export function openAiCompatibleModel(options: OpenAiCompatibleOptions): Model {
  const { baseUrl: _url, apiKey, keyPlace, headers, maxTokens: _max, ...facts } = options;
  const secrets = [apiKey, ...Object.values(headers)].filter((text) => text.length >= LEAST_SECRET);
  let loading: Promise<Model> | undefined;
  return {
    ...facts,
    async *stream(request) {
      loading ??= import("./chat-completions.js").then(({ chatCompletions }) => chatCompletions(options));
      try {
        yield* (await loading).stream(request);
      } catch (error) {
        throw told(error, secrets, facts.login ? "" : keyPlace);
      }
    },
  };
}

/** Characters of the shortest text that is taken for a secret. */
const LEAST_SECRET = 8;

/**
 * The error of a provider as it may be shown, kept and logged: without the key that some send back, and with the place of a
 * key that was refused.
 */
function told(error: unknown, secrets: readonly string[], keyPlace: string): unknown {
  if (!(error instanceof ModelError)) return error;
  const { kind, message, status, retryAfterMs } = error;
  const isRefused = status === 401 && keyPlace !== "";
  const hidden = secrets.reduce((text, secret) => text.replaceAll(secret, "…"), message);
  if (!isRefused && hidden === message) return error;
  const more = {
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    // The cause has the message as it came.
    ...(hidden === message && { cause: error }),
  };
  return new ModelError(kind, isRefused ? `${hidden}; check ${keyPlace}` : hidden, status, more);
}
