import { type ClipboardEvent, type DragEvent, type RefObject, useEffect, useRef, useState } from "react";
import { useBeforePaint } from "../hooks/use-before-paint.js";
import { takesText } from "./composing.js";

/** The ways in which files come to a message, and how the last one fared. */
export interface TakenFiles {
  /** That a file is being read, or the mistake of the last one; empty where all is there. */
  readonly told: string;
  add(files: readonly File[]): Promise<void>;
  /** The listeners of an element that files may be pasted into or dropped on. */
  readonly listeners: {
    onPaste(event: ClipboardEvent): void;
    onDrop(event: DragEvent): void;
    onDragOver(event: DragEvent): void;
  };
}

/** The message that files are taken into. */
interface FileTaking<One> {
  /** Those that are there. */
  readonly held: readonly One[];
  onHold(held: readonly One[]): void;
  /** True for a file that is meant; all else is left to the browser. */
  isMeant(file: File): boolean;
  /** Reads a file, in addition to those that are there. Resolves with the reason in words why it is not taken. */
  read(file: File, held: readonly One[]): Promise<One | { readonly problem: string }>;
  /** The words that a file is being read, and that a text was taken in place of its picture. */
  readonly words: { readonly comes: string; readonly textTaken: string };
  /** True while files are on their way to the message, which is not sent without them. */
  readonly reading: RefObject<boolean>;
}

/** Takes files into a message, one after the other. */
export function useFiles<One extends object>({
  held,
  onHold,
  isMeant,
  read: readOne,
  words,
  reading,
}: FileTaking<One>): TakenFiles {
  const [problem, setProblem] = useState("");
  const [count, setCount] = useState(0);
  // Reading a file takes a while, in which the person continues; null once the message is left.
  const now = useRef<Pick<FileTaking<One>, "held" | "onHold"> | null>(null);
  const last = useRef(Promise.resolve());
  useEffect(() => {
    now.current = { held, onHold };
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
      const one = await readOne(file, now.current?.held ?? []);
      if ("problem" in one) setProblem(one.problem);
      else if (now.current !== null) {
        // The next file comes before the message is drawn again.
        now.current = { ...now.current, held: [...now.current.held, one] };
        now.current.onHold(now.current.held);
      }
    }
  }

  /** Does one thing behind the other, since reading a file takes a while. */
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

  /** Takes the files out of what comes, and leaves all else to the browser. */
  function take(event: ClipboardEvent | DragEvent, given: DataTransfer | undefined): void {
    const files = [...(given?.files ?? [])].filter(isMeant);
    if (files.length === 0) return;
    // A spreadsheet or a word processor copies its text with a picture of it: the text is what was meant.
    if (takesText(event.target) && given?.getData("text/plain").trim()) {
      return void next(() => setProblem(words.textTaken));
    }
    event.preventDefault();
    void add(files);
  }

  return {
    told: count > 0 ? words.comes : problem,
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
