import type { ContentPart } from "@askwire/protocol";
import { ModelError } from "./model.js";

/** A picture, a sound or a film of a conversation. */
export interface Media {
  readonly kind: MediaKind;
  readonly url: string;
  /** The bytes of a data URL; undefined for any other URL. */
  readonly data: { readonly mediaType: string; readonly base64: string } | undefined;
}
type MediaKind = "image" | "audio" | "video";

const DATA_URL = /^data:([^;,]+)(?:;[^;,]*)*;base64,/;

/**
 * Reads a content part as media; undefined for text or a thought.
 *
 * @throws ModelError `request` if it has no URL.
 */
export function readMedia(part: ContentPart): Media | undefined {
  switch (part.type) {
    case "image_url":
      return media("image", part.image_url.url);
    case "audio_url":
      return media("audio", part.audio_url.url);
    case "video_url":
      return media("video", part.video_url.url);
    default:
      return undefined;
  }
}

function media(kind: MediaKind, url: string): Media {
  if (!/^[a-z][a-z\d+.-]*:/i.test(url)) {
    const start = JSON.stringify(url.slice(0, 40));
    throw new ModelError("request", `${kind}_url: expected an address or a data: URL, found ${start}`);
  }
  const [head, mediaType] = DATA_URL.exec(url) ?? [];
  const data =
    head === undefined || mediaType === undefined ? undefined : { mediaType, base64: url.slice(head.length) };
  return { kind, url, data };
}

/** Makes a content part of a model's file; undefined if no kind of part fits. */
export function mediaPart(mediaType: string, base64: string): ContentPart | undefined {
  const value = { url: `data:${mediaType};base64,${base64}`, id: null };
  switch (mediaType.split("/")[0]) {
    case "image":
      return { type: "image_url", image_url: value };
    case "audio":
      return { type: "audio_url", audio_url: value };
    case "video":
      return { type: "video_url", video_url: value };
    default:
      return undefined;
  }
}
