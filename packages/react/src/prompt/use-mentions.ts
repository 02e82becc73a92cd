import { type RefObject, useEffect, useState } from "react";
import { type CompletedWord, type Completion, useChoice } from "./use-choice.js";

/** The files that a person may name in the words to the agent, by `@` and a part of the path. */
export interface Mentions {
  /** Finds the files that a part of a path may mean, the best first. One that rejects finds none. */
  find(begun: string): Promise<readonly string[]>;
  /** The name of the list. */
  readonly label: string;
  /** The words for the number of files in it. */
  counted(count: number): string;
}

/** A word that begins with `@`, up to the caret. */
const BEGUN = /(^|\s)@([^\s@]*)$/;

/** The most files of a list. */
const MOST = 50;

/** Completes the path of a file behind an `@`, where the caret is. A path with blanks is put in quotes. */
export function useMentions(
  text: string,
  caret: number,
  mentions: Mentions | undefined,
  become: (text: string, caret: number) => void,
): Completion {
  const before = text.slice(0, caret);
  const begun = mentions === undefined ? undefined : BEGUN.exec(before)?.[2];
  const [known, setKnown] = useState<{ readonly of: string; readonly paths: readonly string[] }>();
  const find = mentions?.find;

  useEffect(() => {
    if (begun === undefined || find === undefined) return;
    let isWanted = true;
    find(begun).then(
      (paths) => isWanted && setKnown({ of: begun, paths: paths.slice(0, MOST) }),
      () => isWanted && setKnown({ of: begun, paths: [] }),
    );
    return () => {
      isWanted = false;
    };
  }, [begun, find]);

  const found: CompletedWord[] =
    begun === undefined || known?.of !== begun
      ? []
      : known.paths.map((path) => ({ name: path, shown: path, about: "" }));
  function take(path: string): void {
    const head = before.slice(0, before.length - (begun?.length ?? 0));
    const word = /[\s"]/.test(path) ? `${JSON.stringify(path)} ` : `${path} `;
    become(head + word + text.slice(caret).replace(/^ /, ""), head.length + word.length);
  }
  const choice = useChoice(before, found, take, (path) => path === begun);
  return { ...choice, label: mentions?.label ?? "", counted: (count) => mentions?.counted(count) ?? "" };
}

/** The place of the caret in a text, which a text from elsewhere has at its end. */
export function useCaret(box: RefObject<HTMLTextAreaElement | null>, text: string) {
  const [at, setAt] = useState({ text, caret: text.length });
  const [wanted, setWanted] = useState<number>();
  useEffect(() => {
    if (wanted === undefined) return;
    box.current?.setSelectionRange(wanted, wanted);
    setWanted(undefined);
  }, [box, wanted]);
  return {
    caret: at.text === text ? at.caret : text.length,
    look: () => {
      const { value = "", selectionStart = 0 } = box.current ?? {};
      setAt({ text: value, caret: selectionStart });
    },
    put: (next: string, caret: number) => {
      setAt({ text: next, caret });
      setWanted(caret);
    },
  };
}
