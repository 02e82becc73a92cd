import { type KeyboardEvent, useState } from "react";

/** A word that a text may be completed with. */
export interface CompletedWord {
  /** The name by which it is taken. */
  readonly name: string;
  /** The name as it is shown: foreign text. */
  readonly shown: string;
  /** Its meaning in a few words: foreign text, empty where the name says all. */
  readonly about: string;
}

/** The words that a text may be completed with, and the keys that choose one. */
export interface Completion {
  /** Empty while nothing is to be completed. */
  readonly found: readonly CompletedWord[];
  /** The position of the one that a key would take. */
  readonly active: number;
  /** The name of the list, and the words for the number of its rows. */
  readonly label: string;
  counted(count: number): string;
  /** Takes a key. True if it was one of the list's. */
  onKey(event: KeyboardEvent): boolean;
  /** Completes the text with the word of this name. */
  take(name: string): void;
}

/**
 * The state of a list beside the text: arrows go through it, Tab and Enter take a word, Escape closes it.
 *
 * @param of the text that is completed: with another one the list begins anew.
 * @param isWhole true for a word that stands there already, which Enter sends.
 */
export function useChoice(
  of: string,
  words: readonly CompletedWord[],
  take: (name: string) => void,
  isWhole: (name: string) => boolean,
): Pick<Completion, "found" | "active" | "onKey" | "take"> {
  const [at, setAt] = useState({ of, active: 0, isClosed: false });
  const { active, isClosed } = at.of === of ? at : { active: 0, isClosed: false };
  const found = isClosed ? [] : words;

  function onKey(event: KeyboardEvent): boolean {
    const { key, shiftKey } = event;
    const chosen = found[active];
    if (chosen === undefined || shiftKey) return false;
    const by = { ArrowDown: 1, ArrowUp: -1 }[key];
    if (by !== undefined) {
      setAt({ of, active: (active + by + found.length) % found.length, isClosed: false });
    } else if (key === "Escape") setAt({ of, active: 0, isClosed: true });
    else if (key === "Tab" || (key === "Enter" && !isWhole(chosen.name))) take(chosen.name);
    else return false;
    event.preventDefault();
    return true;
  }

  return { found, active, onKey, take };
}
