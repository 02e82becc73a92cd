import type { CardWords } from "@askwire/client/words";
import { type ClipboardEvent, type DragEvent, type RefObject, useEffect, useRef, useState } from "react";
import { useBeforePaint } from "../hooks/use-before-paint.js";
import { takesText } from "./composing.js";
import { type Attachments, readPicture } from "./picture.js";

/** The ways in which pictures come to an answer, and how the last one fared. */
export interface TakenPictures {
  /** That a picture is being read, or the mistake of the last one; empty where all is there. */
  readonly told: string;
  add(files: readonly File[]): Promise<void>;
  /** The listeners of an element that pictures may be pasted into or dropped on. */
  readonly listeners: {
    onPaste(event: ClipboardEvent): void;
    onDrop(event: DragEvent): void;
    onDragOver(event: DragEvent): void;
  };
}

/**
 * Takes pictures into an answer.
 *
 * @param reading is true while pictures are on their way to the answer, which is not sent without them.
 */
export function usePictures(
  attachments: Attachments,
  onAttach: (attachments: Attachments) => void,
  words: CardWords,
  reading: RefObject<boolean>,
): TakenPictures {
  const [problem, setProblem] = useState("");
  const [count, setCount] = useState(0);
  // Reading a picture takes a while, in which the person continues; null once the question is left.
  const now = useRef<{ attachments: Attachments; onAttach: typeof onAttach } | null>(null);
  const last = useRef(Promise.resolve());
  useEffect(() => {
    now.current = { attachments, onAttach };
  });
  // Before the next act of the person.
  useBeforePaint(() => {
    reading.current = count > 0;
  });
  useEffect(
    () => () => {
      now.current = null;
      reading.current = false;
    },
    [reading],
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
  async function add(files: readonly File[]): Promise<void> {
    reading.current = true;
    setCount((before) => before + 1);
    try {
      await next(() => read(files));
    } finally {
      setCount((before) => before - 1);
    }
  }

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
    told: count > 0 ? words.pictureComes : problem,
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
