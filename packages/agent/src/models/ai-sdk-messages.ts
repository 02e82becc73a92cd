import type { ContentPart, ToolCall, ToolReturnValue, UserInput } from "@askwire/protocol";
import type { Message, ModelInput } from "@askwire/server";
import { type Media, readMedia } from "@askwire/server/internal";
import type { AssistantContent, ModelMessage, ToolResultPart, UserContent } from "ai";
import { ofCall, ofThought } from "./provider-data.js";

/**
 * Puts a conversation in the words of the AI SDK.
 *
 * @param inputs the inputs that the model takes besides text; undefined: everything. Other parts are only named
 * (P-MOD-5).
 * @throws ModelError `request` for a picture, a sound or a film without a URL.
 */
export function toModelMessages(
  messages: readonly Message[],
  inputs?: readonly ModelInput[],
): ModelMessage[] {
  const taken = (part: ContentPart) => (isTaken(part, inputs) ? part : named(part));
  const calls = messages.flatMap((message) => (message.role === "assistant" ? message.tool_calls : []));
  const toolNames = new Map(calls.map(({ id, function: { name } }) => [id, name]));
  return messages.flatMap((message): ModelMessage[] => {
    if (message.role === "user")
      return [{ role: "user", content: userContent(mapped(message.content, taken)) }];
    if (message.role === "assistant") {
      const content = [...message.content.flatMap(assistantPart), ...message.tool_calls.map(callPart)];
      return content.length === 0 ? [] : [{ role: "assistant", content }];
    }
    const { tool_call_id: toolCallId, result } = message;
    const toolName = toolNames.get(toolCallId) ?? "unknown";
    return [
      {
        role: "tool",
        content: [
          {
            type: "tool-result",
            toolCallId,
            toolName,
            output: toolOutput({ ...result, output: mapped(result.output, taken) }),
          },
        ],
      },
    ];
  });
}

const isTaken = ({ type }: ContentPart, inputs: readonly ModelInput[] | undefined) =>
  inputs === undefined || type === "text" || type === "think" || inputs.includes(type);

const named = ({ type }: ContentPart): ContentPart => ({
  type: "text",
  text: `<system>There is ${type} content here, which this model does not take.</system>`,
});

const mapped = (content: UserInput, map: (part: ContentPart) => ContentPart): UserInput =>
  typeof content === "string" ? content : content.map(map);

function userContent(input: UserInput): UserContent {
  if (typeof input === "string") return input;
  const parts = input.flatMap((part): Exclude<UserContent, string> => {
    if (part.type === "text") return part.text === "" ? [] : [{ type: "text", text: part.text }];
    const media = readMedia(part);
    if (media === undefined) return [];
    const { kind, url, data } = media;
    if (kind === "image") return [{ type: "image", image: url }];
    return [{ type: "file", data: url, mediaType: data?.mediaType ?? `${kind}/*` }];
  });
  return parts.length === 0 ? "" : parts;
}

type AssistantPart = Exclude<AssistantContent, string>[number];

function assistantPart(part: ContentPart): AssistantPart[] {
  if (part.type === "text") return part.text === "" ? [] : [{ type: "text", text: part.text }];
  if (part.type === "think") {
    const providerOptions = ofThought(part.encrypted);
    if (part.think === "" && providerOptions === undefined) return [];
    return [{ type: "reasoning", text: part.think, ...(providerOptions && { providerOptions }) }];
  }
  // Providers take back only their own files, which come as data.
  const data = readMedia(part)?.data;
  return data === undefined ? [] : [{ type: "file", data: data.base64, mediaType: data.mediaType }];
}

function callPart(call: ToolCall): AssistantPart {
  const providerOptions = ofCall(call);
  return {
    type: "tool-call",
    toolCallId: call.id,
    toolName: call.function.name,
    input: input(call.function.arguments),
    ...(providerOptions && { providerOptions }),
  };
}

/** The arguments as the object that providers want. The model is shown its own text if that is no object. */
function input(text: string | null): unknown {
  if (text === null || text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Wrapped below.
  }
  return { invalid_arguments: text };
}

type ToolOutput = ToolResultPart["output"];
type OutputPart = Extract<ToolOutput, { type: "content" }>["value"][number];

/** The result for the model: the tool's explanation, marked as such, then its output. */
export function toolOutput({ is_error, output, message }: ToolReturnValue): ToolOutput {
  const told = message === "" ? [] : [system(is_error ? `ERROR: ${message}` : message)];
  const given =
    typeof output === "string" ? (output === "" ? [] : [text(output)]) : output.flatMap(outputPart);
  const all = [...told, ...given];
  const parts = all.length === 0 ? [system("The tool gave no output.")] : all;
  if (parts.some(({ type }) => type !== "text")) return { type: "content", value: parts };
  const value = parts.map((part) => (part.type === "text" ? part.text : "")).join("\n");
  return { type: is_error ? "error-text" : "text", value };
}

const text = (text: string): OutputPart => ({ type: "text", text });
const system = (note: string): OutputPart => text(`<system>${note}</system>`);

function outputPart(part: ContentPart): OutputPart[] {
  if (part.type === "text") return part.text === "" ? [] : [text(part.text)];
  const media = readMedia(part);
  return media === undefined ? [] : [mediaOutput(media)];
}

function mediaOutput({ kind, url, data }: Media): OutputPart {
  if (kind === "image") {
    return data === undefined
      ? { type: "image-url", url }
      : { type: "image-data", data: data.base64, mediaType: data.mediaType };
  }
  return data === undefined
    ? { type: "file-url", url, mediaType: `${kind}/*` }
    : { type: "file-data", data: data.base64, mediaType: data.mediaType };
}
