import type { Command } from "@commander-js/extra-typings";
import { hidden, positiveInteger } from "./shared-options.js";

/** Flags of `kimi` that are taken and have no effect. */
const unused = {
  skillsDir: "--skills-dir <folder>",
  mcpConfig: "--mcp-config <text>",
  mcpConfigFile: "--mcp-config-file <file>",
};

/** The launch flags of `kimi --wire` without a subcommand, so that a client of `kimi` can launch this command. */
export function kimiFlags(program: Command) {
  for (const flags of Object.values(unused)) program.addOption(hidden(flags));
  return program
    .option("--wire", "serve over standard input and output; takes the launch flags of kimi --wire")
    .addOption(hidden("--work-dir <folder>"))
    .addOption(hidden("--model <name>"))
    .addOption(hidden("--dialect <names>"))
    .addOption(hidden("--agent-file <file>"))
    .addOption(hidden("--config <json>"))
    .addOption(hidden("--config-file <file>"))
    .addOption(hidden("--max-steps-per-turn <number>").argParser(positiveInteger))
    .addOption(hidden("--yolo"))
    .addOption(hidden("--auto-approve"))
    .addOption(hidden("--afk"))
    .addOption(hidden("--raw-errors"))
    .addOption(hidden("--session <id>"))
    .addOption(hidden("--continue"))
    .addOption(hidden("--no-resume"))
    .addOption(hidden("--thinking"))
    .addOption(hidden("--no-thinking"));
}

export type KimiFlags = Readonly<ReturnType<ReturnType<typeof kimiFlags>["opts"]>>;

/** The given flags that have no effect. Thinking is not told: clients set it always. */
export const unusedFlags = (program: ReturnType<typeof kimiFlags>): string[] =>
  Object.entries(unused)
    .filter(([name]) => program.getOptionValueSource(name) === "cli")
    .map(([, flags]) => flags.split(" ")[0] as string);
