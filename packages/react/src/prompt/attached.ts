import { fencedText } from "@askwire/client/text";
import type { ContentPart } from "@askwire/protocol";
import { type PictureProblem, readPicture } from "../cards/picture.js";
import { isPicture } from "../cards/use-pictures.js";

/** A picture or a file that goes with words to the agent. */
export interface AttachedFiles {
  readonly name: string;
  /** A picture as one, a file as text under its name. */
  readonly part: ContentPart;
}

/** The reason why a file does not go with the words. */
export type FileProblem = PictureProblem | "noText" | "longText";

/** The most bytes of a file that goes as text. */
const LONGEST = 1_048_576;

/** Reads a picture, or a file of text, in addition to those that go already. */
export async function readAttached(
  file: File,
  others: readonly AttachedFiles[],
): Promise<AttachedFiles | { readonly problem: FileProblem }> {
  const { name } = file;
  if (isPicture(file)) {
    const pictures = others.flatMap(({ part }) => (part.type === "image_url" ? [part] : []));
    const read = await readPicture(file, pictures);
    return typeof read === "string" ? { problem: read } : { name, part: read };
  }
  if (file.size > LONGEST) return { problem: "longText" };
  const text = await textOf(file);
  return text === undefined
    ? { problem: "noText" }
    : { name, part: { type: "text", text: fencedText(name, text) } };
}

/** The text of a file in UTF-8. Undefined for any other. */
async function textOf(file: File): Promise<string | undefined> {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}
