import type { UserInput } from "@askwire/protocol";
import type { SlashCommand } from "../agent/agent.js";

/**
 * The command that a prompt begins with, and what follows its name. A prompt with any other word after the slash is
 * the agent's, since it may be a path (P-SLH-1).
 */
export function findCommand(
  commands: readonly SlashCommand[],
  input: UserInput,
): { command: SlashCommand; args: string } | undefined {
  const text = textOf(input);
  const [, name, args = ""] = (text === undefined ? null : /^\s*\/(\S+)(?:\s+([\s\S]*))?$/.exec(text)) ?? [];
  const command = commands.find(
    ({ name: own, aliases = [] }) => own === name || aliases.includes(name ?? ""),
  );
  return command === undefined ? undefined : { command, args: args.trim() };
}

function textOf(input: UserInput): string | undefined {
  if (typeof input === "string") return input;
  const [only, ...others] = input;
  return only?.type === "text" && others.length === 0 ? only.text : undefined;
}
