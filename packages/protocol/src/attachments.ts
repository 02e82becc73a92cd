import { answerLimits, mebibytes } from "./answer-limits.js";
import type { ContentPart } from "./messages/content.js";

/** Characters of a data URL before its comma: the type and its parameters. */
const longestHead = 256;

/** Describes the first part that is no image, or too large an image, and the expected value. */
export function attachmentsProblem(parts: readonly ContentPart[]): string | undefined {
  for (const [index, part] of parts.entries()) {
    const bytes = imageBytes(part);
    if (bytes === undefined)
      return `attachments[${index}]: expected an image_url with the data URL of an image`;
    if (bytes > answerLimits.picture) {
      return `attachments[${index}]: expected an image of at most ${mebibytes(answerLimits.picture)}`;
    }
  }
  return undefined;
}

/** Counts the bytes of an image inside its URL; undefined for any other part. Escaped characters count as written. */
export function imageBytes(part: ContentPart): number | undefined {
  if (part.type !== "image_url") return undefined;
  const { url } = part.image_url;
  const comma = url.indexOf(",");
  if (comma < 0 || comma > longestHead || comma === url.length - 1) return undefined;
  const head = url.slice(0, comma);
  if (!/^data:image\/[^;/]+(?:;|$)/i.test(head)) return undefined;
  if (!/;\s*base64$/i.test(head)) return url.length - comma - 1;
  const data = url.slice(comma + 1).replace(/={1,2}$/, "");
  return data === "" || /[^a-z0-9+/]/i.test(data) ? undefined : Math.floor((data.length * 3) / 4);
}
