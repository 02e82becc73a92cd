import { type ContentPart, type UserInput, WireError } from "@askwire/protocol";
import type { Abilities } from "./abilities.js";
import type { ContentBlock } from "./shapes.js";

/** A content block of ACP to send. */
export type BlockToSend = { readonly type: string; readonly [member: string]: unknown };

const DATA_URL = /^data:([^;,]+)[^,]*;base64,(.*)$/s;

/**
 * A person's words as a prompt of ACP. What lies at an address is sent as a link.
 *
 * @throws WireError ModelNotSupported for content that the agent does not take.
 */
export function promptBlocks(input: UserInput, abilities: Abilities): BlockToSend[] {
  const parts = typeof input === "string" ? [{ type: "text" as const, text: input }] : input;
  return parts.map((part, index) => blockOf(part, abilities, index));
}

function blockOf(part: ContentPart, abilities: Abilities, index: number): BlockToSend {
  switch (part.type) {
    case "text":
      return { type: "text", text: part.text };
    case "think":
      return { type: "text", text: part.think };
    case "image_url":
      return media(part.image_url.url, "image", abilities.image, index);
    case "audio_url":
      return media(part.audio_url.url, "audio", abilities.audio, index);
    case "video_url":
      return media(part.video_url.url, "video", abilities.embedded, index);
  }
}

function media(url: string, type: "image" | "audio" | "video", taken: boolean, index: number): BlockToSend {
  const [, mimeType, data] = DATA_URL.exec(url) ?? [];
  if (mimeType === undefined) return { type: "resource_link", name: `${type} ${index + 1}`, uri: url };
  if (!taken)
    throw new WireError("ModelNotSupported", `the agent takes no ${type}; send it as text or as a file`);
  if (type !== "video") return { type, mimeType, data };
  return { type: "resource", resource: { uri: `attachment:${index + 1}`, mimeType, blob: data } };
}

/** A content block of an agent as a part for clients. A resource without text is told by its address. */
export function partOf({
  type,
  text,
  data,
  mimeType,
  uri,
  name,
  title,
  resource,
}: ContentBlock): ContentPart {
  const media = { url: data === undefined ? (uri ?? "") : `data:${mimeType ?? ""};base64,${data}`, id: null };
  if (type === "image") return { type: "image_url", image_url: media };
  if (type === "audio") return { type: "audio_url", audio_url: media };
  if (type === "resource_link") return { type: "text", text: `[${title ?? name ?? uri}](${uri})` };
  if (type === "resource")
    return { type: "text", text: resource?.text ?? `[${resource?.uri}](${resource?.uri})` };
  return { type: "text", text: text ?? "" };
}

/** The texts of parts, one after the other; undefined if a part is something else. */
export function contentText(parts: readonly ContentPart[]): string | undefined {
  const texts = parts.map((part) => (part.type === "text" ? part.text : undefined));
  return texts.every((text) => text !== undefined) ? texts.join("\n") : undefined;
}
