import type { ClientSession } from "@askwire/client";
import { type KeyboardEvent, useState } from "react";

type Commands = ClientSession["slashCommands"];

/** The commands that a text may become, and the keys that choose one. */
export interface Completion {
  /** Empty while nothing is to be completed. */
  readonly found: Commands;
  /** The position of the one that a key would take. */
  readonly active: number;
  /** Takes a key. True if it was one of the list's. */
  onKey(event: KeyboardEvent): boolean;
  /** The text with this command. */
  take(name: string): void;
}

/** Completes slash commands at the beginning of a text, by their names and other names. */
export function useCompletion(text: string, commands: Commands, become: (text: string) => void): Completion {
  const [at, setAt] = useState({ text, active: 0, isClosed: false });
  const { active, isClosed } = at.text === text ? at : { active: 0, isClosed: false };
  const [, begun] = /^\/(\S*)$/.exec(text) ?? [];
  const begins = (name: string) => begun !== undefined && name.startsWith(begun);
  const meant = commands.filter(({ name, aliases }) => begins(name) || aliases.some(begins));
  const found = isClosed || begun === undefined ? [] : meant;
  const take = (name: string) => become(`/${name} `);

  function onKey(event: KeyboardEvent): boolean {
    const { key, shiftKey } = event;
    const chosen = found[active];
    if (chosen === undefined || shiftKey) return false;
    const by = { ArrowDown: 1, ArrowUp: -1 }[key];
    if (by !== undefined) {
      setAt({ text, active: (active + by + found.length) % found.length, isClosed: false });
    } else if (key === "Escape") setAt({ text, active: 0, isClosed: true });
    else if (key === "Tab" || (key === "Enter" && chosen.name !== begun)) take(chosen.name);
    else return false;
    event.preventDefault();
    return true;
  }

  return { found, active, onKey, take };
}
