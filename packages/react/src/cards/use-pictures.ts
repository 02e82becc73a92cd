import type { CardWords } from "@askwire/client/words";
import type { RefObject } from "react";
import { type Attachments, readPicture } from "./picture.js";
import { type TakenFiles, useFiles } from "./use-files.js";

/**
 * Takes pictures into an answer.
 *
 * @param reading is true while pictures are on their way to the answer, which is not sent without them.
 */
export const usePictures = (
  held: Attachments,
  onHold: (attachments: Attachments) => void,
  words: CardWords,
  reading: RefObject<boolean>,
): TakenFiles =>
  useFiles<Attachments[number]>({
    held,
    onHold: (next) => onHold([...next]),
    isMeant: isPicture,
    async read(file, others) {
      const read = await readPicture(file, [...others]);
      return typeof read === "string" ? { problem: words.pictureProblems[read](file.name) } : read;
    },
    words: { comes: words.pictureComes, textTaken: words.textTaken },
    reading,
  });

/** True for a file that says that it is a picture. */
export const isPicture = ({ type }: File): boolean => type.startsWith("image/");
