import { type AnswerItem, answerLimits } from "@askwire/protocol";

/** The pictures of an answer, as data URLs (P-XAN-6). */
export type Attachments = NonNullable<AnswerItem["attachments"]>;

/** The reason why a file does not become a picture of the answer. */
export type PictureProblem = "unread" | "tooLarge" | "tooMany";

/** Reads a picture, in addition to those that the answer has. */
export async function readPicture(
  file: File,
  others: Attachments,
): Promise<Attachments[number] | PictureProblem> {
  if (file.size > answerLimits.picture) return "tooLarge";
  if (others.reduce((sum, other) => sum + sizeOf(other), file.size) > answerLimits.pictures) return "tooMany";
  const url = (await isPicture(file)) ? await dataUrl(file).catch(() => undefined) : undefined;
  return url === undefined ? "unread" : { type: "image_url", image_url: { url, id: null } };
}

/** True for a picture that the browser can show. */
const isPicture = (file: File): Promise<boolean> =>
  createImageBitmap(file).then(
    (picture) => {
      picture.close();
      return true;
    },
    () => false,
  );

const dataUrl = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });

const base64Of = (part: Attachments[number]): string =>
  part.type === "image_url" ? part.image_url.url.slice(part.image_url.url.indexOf(",") + 1) : "";

/** The bytes of a picture. */
export const sizeOf = (part: Attachments[number]): number => Math.floor((base64Of(part).length * 3) / 4);

/** A picture as a file in memory, since the page's policy shows no data URLs. */
export function blobOf(part: Attachments[number]): Blob {
  const bytes = Uint8Array.from(atob(base64Of(part)), (character) => character.charCodeAt(0));
  const type = part.type === "image_url" ? /^data:([^;,]+)/.exec(part.image_url.url)?.[1] : undefined;
  return new Blob([bytes], { type: type ?? "" });
}
