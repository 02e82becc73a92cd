import type { InitializeResult } from "@askwire/protocol";
import type { SlashCommand } from "../agent/agent.js";

/** The commands of an agent as clients are told them (P-SLH-1, P-SLH-3). */
export const toldCommands = (commands: readonly SlashCommand[]): InitializeResult["slash_commands"] =>
  commands.map(({ name, description, aliases = [] }) => ({ name, description, aliases: [...aliases] }));
