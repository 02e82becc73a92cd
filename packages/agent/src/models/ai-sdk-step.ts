import type { ContentPart } from "@askwire/protocol";
import {
  ModelError,
  type ModelInput,
  type ModelPart,
  type ModelRequest,
  type TokenUsage,
  type ToolSpec,
} from "@askwire/server";
import { mediaPart } from "@askwire/server/internal";
import {
  type FinishReason,
  jsonSchema,
  type LanguageModel,
  type LanguageModelUsage,
  stepCountIs,
  streamText,
  type TextStreamPart,
  type ToolSet,
  tool,
} from "ai";
import { toModelError } from "./ai-sdk-error.js";
import { toModelMessages } from "./ai-sdk-messages.js";
import { partSequence } from "./part-sequence.js";
import { extrasWith, thoughtWith } from "./provider-data.js";

/**
 * Asks a language model of the AI SDK for one answer.
 *
 * @param inputs the inputs that the model takes besides text; undefined: everything.
 */
export async function* streamStep(
  model: LanguageModel,
  { system, messages, tools, signal }: ModelRequest,
  inputs?: readonly ModelInput[],
): AsyncGenerator<ModelPart> {
  // The SDK prints its warnings on standard output, which may carry the wire.
  globalThis.AI_SDK_LOG_WARNINGS ??= false;
  signal.throwIfAborted();
  // Aborted also when nobody reads on.
  const controller = new AbortController();
  const abort = () => controller.abort(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    const { fullStream } = streamText({
      model,
      ...(system === undefined ? {} : { system }),
      messages: toModelMessages(messages, inputs),
      tools: toolSet(tools),
      stopWhen: stepCountIs(1),
      maxRetries: 0,
      abortSignal: controller.signal,
      onError() {},
    });
    yield* readParts(fullStream);
    signal.throwIfAborted();
  } catch (error) {
    signal.throwIfAborted();
    throw toModelError(error);
  } finally {
    signal.removeEventListener("abort", abort);
    controller.abort();
  }
}

/** A null prototype, since clients name tools too. */
function toolSet(tools: readonly ToolSpec[]): ToolSet {
  const set: ToolSet = Object.create(null);
  for (const { name, description, parameters } of tools)
    set[name] = tool({ description, inputSchema: jsonSchema(parameters) });
  return set;
}

async function* readParts(stream: AsyncIterable<TextStreamPart<ToolSet>>): AsyncGenerator<ModelPart> {
  const sequence = partSequence();
  let said = false;
  const content = (part: ContentPart) => sequence.part({ type: "content", part });
  for await (const part of stream) {
    switch (part.type) {
      case "text-delta":
        if (part.text === "") break;
        said = true;
        yield* content({ type: "text", text: part.text });
        break;
      case "reasoning-start":
      case "reasoning-delta":
      case "reasoning-end": {
        const think = part.type === "reasoning-delta" ? part.text : "";
        if (think === "" && part.providerMetadata === undefined) break;
        said = true;
        yield* content(thoughtWith(think, part.providerMetadata));
        break;
      }
      case "file": {
        const media = mediaPart(part.file.mediaType, part.file.base64);
        if (media === undefined) break;
        said = true;
        yield* content(media);
        break;
      }
      case "tool-input-start":
        if (part.providerExecuted === true) break;
        said = true;
        yield* sequence.begin(part.id, part.toolName, extrasWith(part.providerMetadata));
        break;
      case "tool-input-delta":
        yield* sequence.more(part.id, part.delta);
        break;
      case "tool-call":
        if (part.providerExecuted === true) break;
        if (!sequence.has(part.toolCallId)) {
          said = true;
          yield* sequence.begin(part.toolCallId, part.toolName, extrasWith(part.providerMetadata));
          yield* sequence.more(part.toolCallId, argumentText(part.input));
        }
        yield* sequence.end(part.toolCallId);
        break;
      case "error":
        throw part.error;
      case "finish-step":
        if (!said) throw nothingSaid(part.finishReason);
        yield { type: "message_id", id: part.response.id };
        yield* readUsage(part.usage);
        break;
    }
  }
}

/** The arguments of a call in one piece. Text that is no JSON stays unchanged. */
const argumentText = (input: unknown) => (typeof input === "string" ? input : JSON.stringify(input ?? {}));

function nothingSaid(reason: FinishReason): ModelError {
  return reason === "content-filter"
    ? new ModelError("request", "the provider's content filter kept the answer back")
    : new ModelError("empty", "the provider's answer is empty");
}

function readUsage({ inputTokens, inputTokenDetails, outputTokens }: LanguageModelUsage): ModelPart[] {
  if (inputTokens === undefined && outputTokens === undefined) return [];
  const { noCacheTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = inputTokenDetails;
  const usage: TokenUsage = {
    input_other: noCacheTokens ?? Math.max(0, (inputTokens ?? 0) - cacheReadTokens - cacheWriteTokens),
    output: outputTokens ?? 0,
    input_cache_read: cacheReadTokens,
    input_cache_creation: cacheWriteTokens,
  };
  return [{ type: "usage", usage }];
}
