// Tools of the AI SDK, by their shape: nothing of that package is loaded, not even for its types.
import type { ContentPart } from "@askwire/protocol";
import { ToolError } from "../requests/tool-error.js";
import type { ToolReturn, ToolRun } from "./agent.js";
import { requireApproval } from "./approve.js";
import { mediaPart } from "./media.js";

/** A tool as `tool()` and `dynamicTool()` of the AI SDK 6 make it. */
export interface AiSdkTool {
  readonly description?: string | undefined;
  /** A schema of zod 4, or one of `jsonSchema()`. */
  readonly inputSchema: unknown;
  /** Runs the call, with `toolCallId`, `abortSignal` and empty `messages`. */
  readonly execute?: ((input: never, options: never) => unknown) | undefined;
  /** If true, the person is asked for an approval before each call. */
  readonly needsApproval?: boolean | ((input: never, options: never) => unknown) | undefined;
  readonly toModelOutput?: ((options: never) => unknown) | undefined;
}

type Execute = (input: unknown, options: object) => unknown;

/**
 * Runs a call of a tool of the AI SDK, and gives its output the shape of a tool's result.
 *
 * @param name the name for the model.
 * @throws ToolError for a call without approval, and any exception of the tool.
 */
export async function runAiSdkTool(
  name: string,
  tool: AiSdkTool,
  input: unknown,
  { toolCall: { id: toolCallId }, signal: abortSignal }: ToolRun,
): Promise<ToolReturn | ToolError> {
  const { needsApproval } = tool;
  const options = { toolCallId, messages: [], abortSignal };
  const asks =
    typeof needsApproval === "function" ? (needsApproval as Execute)(input, options) : needsApproval;
  if ((await asks) === true) {
    await requireApproval({ action: `call ${name}`, description: `${name} ${JSON.stringify(input)}` });
  }
  const output = await last((tool.execute as Execute)(input, options), abortSignal);
  if (tool.toModelOutput === undefined) return { output: asText(output) };
  const toModelOutput = tool.toModelOutput as (options: object) => unknown;
  return modelOutput((await toModelOutput({ toolCallId, input, output })) as ModelOutput);
}

/** The output, of a tool that gives preliminary ones the last. */
async function last(output: unknown, signal: AbortSignal): Promise<unknown> {
  if (!isAsyncIterable(output)) return output;
  let latest: unknown;
  for await (const next of output) {
    signal.throwIfAborted();
    latest = next;
  }
  return latest;
}

const isAsyncIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === "object" && value !== null && Symbol.asyncIterator in value;

const asText = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "");

/** The output that `toModelOutput` makes. */
type ModelOutput =
  | { readonly type: "text" | "error-text"; readonly value: string }
  | { readonly type: "json" | "error-json"; readonly value: unknown }
  | { readonly type: "execution-denied"; readonly reason?: string }
  | { readonly type: "content"; readonly value: readonly Content[] };

interface Content {
  readonly type: string;
  readonly text?: string;
  readonly data?: string;
  readonly url?: string;
  readonly mediaType?: string;
}

function modelOutput(output: ModelOutput): ToolReturn | ToolError {
  switch (output.type) {
    case "text":
    case "json":
      return { output: asText(output.value) };
    case "content":
      return { output: output.value.map(contentPart) };
    case "execution-denied":
      return new ToolError({ message: output.reason ?? "The call was denied.", brief: "Denied" });
    default:
      return {
        is_error: true,
        message: asText(output.value),
        display: [{ type: "brief", text: "Tool failed" }],
      };
  }
}

function contentPart({ type, text, data, url, mediaType = "" }: Content): ContentPart {
  if (type === "text" && text !== undefined) return { type, text };
  const part =
    data !== undefined
      ? mediaPart(mediaType, data)
      : type === "image-url" && url !== undefined
        ? ({ type: "image_url", image_url: { url, id: null } } as const)
        : undefined;
  return part ?? { type: "text", text: `<system>The tool gave ${type} content, which is left out.</system>` };
}
