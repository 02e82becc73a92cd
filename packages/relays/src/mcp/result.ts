import { type ContentPart, validate } from "@askwire/protocol";
import * as z from "@askwire/protocol/internal";
import type { ToolReturn } from "@askwire/server";

const text = z.string();
const optional = z.optional(text);

/** A piece of a result: `type` says which members it has. */
const Block = z.looseObject({
  type: text,
  text: optional,
  data: optional,
  mimeType: optional,
  uri: optional,
  name: optional,
  resource: z.optional(z.looseObject({ uri: text, text: optional, blob: optional, mimeType: optional })),
});
type Block = z.output<typeof Block>;

const Result = z.looseObject({
  content: z.optional(z.array(Block)),
  structuredContent: z.optional(z.unknown()),
  isError: z.optional(z.boolean()),
});

/** The most characters of all texts of a result. */
const MOST_TEXT = 50_000;
/** The most characters of all pictures and sounds of a result, as base64. */
const MOST_MEDIA = 8_000_000;

/** The result of a call as that of a tool of ours. The rest of a result that is too long is named and left out. */
export function toolReturn(result: unknown): ToolReturn {
  const read = validate(Result, result);
  if (!read.ok) return { is_error: true, message: `The server's result cannot be read: ${read.problem}` };
  const { content = [], structuredContent, isError = false } = read.value as z.output<typeof Result>;
  const parts = content.map(partOf);
  // Servers say structured content in text too, for hosts that do not know it.
  if (structuredContent !== undefined && !parts.some(({ type }) => type === "text"))
    parts.push({ type: "text", text: JSON.stringify(structuredContent) });
  const { kept, left } = bounded(parts);
  const isText = kept.every(({ type }) => type === "text");
  return {
    output: isText ? kept.map((part) => ("text" in part ? part.text : "")).join("\n\n") : kept,
    ...(left !== "" && { message: left }),
    is_error: isError,
    ...(structuredContent !== undefined &&
      JSON.stringify(structuredContent).length <= MOST_TEXT && {
        extras: { structured_content: structuredContent },
      }),
  };
}

function partOf({ type, text: words, data, mimeType, uri, name, resource }: Block): ContentPart {
  const url = `data:${mimeType ?? "application/octet-stream"};base64,${data}`;
  if (type === "text") return said(words ?? "");
  if (type === "image" && data !== undefined) return { type: "image_url", image_url: { url, id: null } };
  if (type === "audio" && data !== undefined) return { type: "audio_url", audio_url: { url, id: null } };
  if (type === "resource_link") return said(`[${name ?? uri}](${uri})`);
  if (type !== "resource" || resource === undefined)
    return said(`(content of the type ${type}, which is not shown)`);
  if (resource.text !== undefined) return said(`${resource.uri}:\n\n${resource.text}`);
  const kind = resource.mimeType ?? "";
  const inside = `data:${kind};base64,${resource.blob}`;
  return kind.startsWith("image/")
    ? { type: "image_url", image_url: { url: inside, id: null } }
    : said(`(${resource.uri}, of the type ${kind === "" ? "unknown" : kind}, is no text)`);
}

const said = (words: string): ContentPart => ({ type: "text", text: words });

function bounded(parts: readonly ContentPart[]): { kept: ContentPart[]; left: string } {
  let [letters, bytes, leftLetters, leftMedia] = [0, 0, 0, 0];
  const kept: ContentPart[] = [];
  for (const part of parts) {
    if (part.type === "text") {
      const words = part.text.slice(0, MOST_TEXT - letters);
      leftLetters += part.text.length - words.length;
      letters += words.length;
      if (words !== "" || part.text === "") kept.push(said(words));
    } else {
      const size = JSON.stringify(part).length;
      if (bytes + size > MOST_MEDIA) leftMedia += 1;
      else {
        bytes += size;
        kept.push(part);
      }
    }
  }
  const left = [
    leftLetters > 0 ? `${leftLetters} characters more are left out: ask for less.` : "",
    leftMedia > 0 ? `${leftMedia} pictures or sounds are left out, since they are too large.` : "",
  ];
  return { kept, left: left.filter((line) => line !== "").join(" ") };
}
