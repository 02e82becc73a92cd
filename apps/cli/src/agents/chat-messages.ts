import type { LanguageModelMiddleware } from "ai";

type TransformParams = NonNullable<LanguageModelMiddleware["transformParams"]>;
type Prompt = Parameters<TransformParams>[0]["params"]["prompt"];
type Message<Role> = Extract<Prompt[number], { role: Role }>;
type UserMessage = Message<"user">;
type UserPart = UserMessage["content"][number];
type FilePart = Extract<UserPart, { type: "file" }>;
type ToolPart = Message<"tool">["content"][number];
type ToolOutput = Extract<
  Extract<ToolPart, { type: "tool-result" }>["output"],
  { type: "content" }
>["value"][number];

/**
 * Rewrites content for which the chat completions protocol has other words: films, most sounds, and media in a tool's
 * result.
 * Media of a result follow as if the person had sent them.
 */
export function inChatWords(prompt: Prompt): Prompt {
  return prompt.flatMap((message): Prompt => {
    if (message.role === "user") return [withParts(message)];
    if (message.role !== "tool") return [message];
    const media = message.content.flatMap(mediaOf);
    const results = { ...message, content: message.content.map(withText) };
    if (media.length === 0) return [results];
    const text = "What the tools gave beside text:";
    return [results, withParts({ role: "user", content: [{ type: "text", text }, ...media] })];
  });
}

/** Rewrites the parts of a message for the protocol. The provider's package passes them on. */
function withParts(message: UserMessage): UserMessage {
  if (message.content.every(({ type }) => type === "text")) return message;
  const providerOptions = { openaiCompatible: { content: message.content.map(chatPart) } };
  return { ...message, content: [{ type: "text", text: "media", providerOptions }] };
}

type ChatPart = Record<string, string | Record<string, string>>;

/** The names of the formats of `input_audio`. */
const audioFormats = new Map([
  ["audio/wav", "wav"],
  ["audio/mp3", "mp3"],
  ["audio/mpeg", "mp3"],
]);

function chatPart(part: UserPart): ChatPart {
  if (part.type === "text") return { type: "text", text: part.text };
  const format = audioFormats.get(part.mediaType);
  if (format !== undefined && typeof part.data === "string")
    return { type: "input_audio", input_audio: { data: part.data, format } };
  const type = `${part.mediaType.split("/")[0]}_url`;
  return { type, [type]: { url: urlOf(part) } };
}

function urlOf({ data, mediaType }: FilePart): string {
  if (data instanceof URL) return data.href;
  return `data:${mediaType};base64,${typeof data === "string" ? data : Buffer.from(data).toString("base64")}`;
}

function withText(part: ToolPart): ToolPart {
  if (part.type !== "tool-result" || part.output.type !== "content") return part;
  const value = part.output.value
    .map((item) => (item.type === "text" ? item.text : "(see below)"))
    .join("\n");
  return { ...part, output: { type: "text", value } };
}

function mediaOf(part: ToolPart): FilePart[] {
  if (part.type !== "tool-result" || part.output.type !== "content") return [];
  return part.output.value.flatMap(fileOf);
}

function fileOf(item: ToolOutput): FilePart[] {
  switch (item.type) {
    case "image-data":
    case "file-data":
      return [{ type: "file", data: item.data, mediaType: item.mediaType }];
    case "image-url":
      return [{ type: "file", data: new URL(item.url), mediaType: "image/*" }];
    case "file-url":
      return [{ type: "file", data: new URL(item.url), mediaType: item.mediaType ?? "application/*" }];
    default:
      return [];
  }
}
