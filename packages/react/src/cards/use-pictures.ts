import { type ClipboardEvent, type DragEvent, useEffect, useRef, useState } from "react";
import type { CardWords } from "../words/card-words.js";
import { type Attachments, readPicture } from "./picture.js";

/** The ways in which pictures come to an answer, and the mistake of the last one. */
export interface TakenPictures {
  readonly problem: string;
  add(files: readonly File[]): Promise<void>;
  /** The listeners of an element that pictures may be pasted into or dropped on. */
  readonly listeners: {
    onPaste(event: ClipboardEvent): void;
    onDrop(event: DragEvent): void;
    onDragOver(event: DragEvent): void;
  };
}

/** Takes pictures into an answer. */
export function usePictures(
  attachments: Attachments,
  onAttach: (attachments: Attachments) => void,
  words: CardWords,
): TakenPictures {
  const [problem, setProblem] = useState("");
  // Reading a picture takes a while, in which the person goes on; null once the question is left.
  const now = useRef<{ attachments: Attachments; onAttach: typeof onAttach } | null>(null);
  useEffect(() => {
    now.current = { attachments, onAttach };
  });
  useEffect(
    () => () => {
      now.current = null;
    },
    [],
  );

  async function add(files: readonly File[]): Promise<void> {
    setProblem("");
    const added: Attachments = [];
    for (const file of files) {
      const read = await readPicture(file, [...(now.current?.attachments ?? []), ...added]);
      if (typeof read === "string") setProblem(words.pictureProblems[read](file.name));
      else added.push(read);
    }
    if (added.length > 0) now.current?.onAttach([...now.current.attachments, ...added]);
  }

  /** Takes the pictures out of what comes, and leaves all else to the browser. */
  function take(event: ClipboardEvent | DragEvent, given: DataTransfer | undefined): void {
    const pictures = [...(given?.files ?? [])].filter(({ type }) => type.startsWith("image/"));
    if (pictures.length === 0) return;
    event.preventDefault();
    void add(pictures);
  }

  return {
    problem,
    add,
    listeners: {
      onPaste: (event) => take(event, event.clipboardData),
      onDrop: (event) => take(event, event.dataTransfer),
      onDragOver(event) {
        if (event.dataTransfer.types.includes("Files")) event.preventDefault();
      },
    },
  };
}
