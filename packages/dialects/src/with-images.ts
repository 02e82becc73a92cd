import type { ContentPart } from "@askwire/protocol";

/** Bytes as JSON of a text and its images that a tool's result has room for. */
const ROOM = 11 * 1024 * 1024;

/**
 * A text, then the images. Images without room are counted instead.
 *
 * @param beside the other long part of the result. Default: nothing.
 */
export function withImages(
  text: string,
  images: readonly ContentPart[],
  beside: object | string = "",
): string | ContentPart[] {
  if (images.length === 0) return text;
  let room = ROOM - bytesOf(text) - bytesOf(beside);
  const kept = images.filter((image) => {
    const bytes = bytesOf(image);
    const fits = bytes <= room;
    if (fits) room -= bytes;
    return fits;
  });
  const left = images.length - kept.length;
  const note = left === 0 ? "" : `\n(${left} of ${images.length} images left out: too large)`;
  return kept.length === 0 ? text + note : [{ type: "text", text: text + note }, ...kept];
}

const bytesOf = (value: object | string) => Buffer.byteLength(JSON.stringify(value));
