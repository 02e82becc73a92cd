import { type CommandUnknownOpts, Option } from "@commander-js/extra-typings";
import { gatewayOptions } from "./mcp.js";
import { DAY_MINUTES, type OptionsOf, placeOptions, upTo, writeOptions } from "./shared-options.js";

/** `askwire hook`. */
export const hookCommand = (program: CommandUnknownOpts) =>
  program
    .command("hook")
    .summary("answer an agent's hooks: its approvals and questions come to you")
    .description(
      "Answer the hooks of an agent that you run already. Its approvals and questions come to you.",
    );

/** `askwire hook claude`. */
export const hookClaudeCommand = (hook: CommandUnknownOpts) =>
  writeOptions(
    placeOptions(gatewayOptions(hook.command("claude")))
      .summary("answer the hooks of Claude Code")
      .description(
        "Read one hook event of Claude Code on standard input, ask you, and print your decision: for " +
          "PermissionRequest, PreToolUse and Elicitation. You answer in a browser, on a phone or in a terminal.",
      )
      .option(
        "--timeout <seconds>",
        "leave the event to Claude Code after this time (default: when its own hook timeout ends)",
        upTo(DAY_MINUTES * 60),
      )
      .option("--install", "write the hooks into the settings of Claude Code; shows the change first")
      .option("--uninstall", "take out again what --install has written")
      .addOption(
        new Option(
          "--scope <scope>",
          "with --install or --uninstall: for you, for a project, for you in a project",
        )
          .choices(["user", "project", "local"])
          .default("user"),
      ),
  )
    .option(
      "--defer",
      "for PreToolUse in claude -p: end the run while a call waits for you; --resume goes on",
    )
    .addHelpText(
      "after",
      `
Claude Code shows its own dialog too, and the first answer wins. Without an answer of yours nothing is printed, and
Claude Code goes on as if there were no hook: nothing is ever allowed because nobody was there.
See docs/claude-code.md.

Examples:
  askwire hook claude --install    write the hooks into your settings of Claude Code
  askwire open                     answer in your browser`,
    );

export type HookOptions = OptionsOf<typeof hookClaudeCommand>;
