import type { UserInput } from "@askwire/protocol";
import type { SlashCommand } from "../agent/agent.js";

/**
 * Finds the command at the beginning of a prompt, and the text after it (P-SLH-1). A prompt with any other word after
 * the slash goes to the agent, since it may be a path.
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
