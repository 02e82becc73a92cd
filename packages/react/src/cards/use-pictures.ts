import { type ClipboardEvent, type DragEvent, useEffect, useRef, useState } from "react";
import type { CardWords } from "../words/card-words.js";
import { takesText } from "./composing.js";
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
  const last = useRef(Promise.resolve());
  useEffect(() => {
    now.current = { attachments, onAttach };
  });
  useEffect(
    () => () => {
      now.current = null;
    },
    [],
  );

  async function read(files: readonly File[]): Promise<void> {
    setProblem("");
    for (const file of files) {
      const read = await readPicture(file, now.current?.attachments ?? []);
      if (typeof read === "string") setProblem(words.pictureProblems[read](file.name));
      else if (now.current !== null) {
        // The next picture comes before the card is drawn again.
        now.current = { ...now.current, attachments: [...now.current.attachments, read] };
        now.current.onAttach(now.current.attachments);
      }
    }
  }

  /** Does one thing behind the other, since reading a picture takes a while. */
  function next(work: () => void | Promise<void>): Promise<void> {
    last.current = last.current.then(work);
    return last.current;
  }
  const add = (files: readonly File[]) => next(() => read(files));

  /** Takes the pictures out of what comes, and leaves all else to the browser. */
  function take(event: ClipboardEvent | DragEvent, given: DataTransfer | undefined): void {
    const pictures = [...(given?.files ?? [])].filter(({ type }) => type.startsWith("image/"));
    if (pictures.length === 0) return;
    // A spreadsheet or a word processor copies its text with a picture of it: the text is what was meant.
    if (takesText(event.target) && given?.getData("text/plain").trim()) {
      return void next(() => setProblem(words.textTaken));
    }
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
