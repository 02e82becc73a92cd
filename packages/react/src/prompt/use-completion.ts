import type { ClientSession } from "@askwire/client";
import type { TalkWords } from "@askwire/client/words";
import { type Completion, useChoice } from "./use-choice.js";

type Commands = ClientSession["slashCommands"];

/** Completes slash commands at the beginning of a text, by their names and other names. */
export function useCompletion(
  text: string,
  commands: Commands,
  become: (text: string) => void,
  words: TalkWords,
): Completion {
  const [, begun] = /^\/(\S*)$/.exec(text) ?? [];
  const begins = (name: string) => begun !== undefined && name.startsWith(begun);
  const meant = commands.filter(({ name, aliases }) => begins(name) || aliases.some(begins));
  const found = meant.map(({ name, description }) => ({
    ...{ name, shown: `/${name}`, about: words.told(description) },
  }));
  const take = (name: string) => become(`/${name} `);
  const choice = useChoice(text, found, take, (name) => name === begun);
  return { ...choice, label: words.commands, counted: words.commandsFound };
}
