import type { InitializeResult } from "@askwire/protocol";

type Commands = InitializeResult["slash_commands"];

/** The slash command that a prompt begins with, under any of its names. Undefined for words. */
export function commandOf(prompt: string, commands: Commands): Commands[number] | undefined {
  const name = /^\/([\w:-]+)(?=\s|$)/.exec(prompt)?.[1];
  return name === undefined
    ? undefined
    : commands.find((command) => command.name === name || command.aliases.includes(name));
}
