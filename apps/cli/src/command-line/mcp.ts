import { type Command, type CommandUnknownOpts, Option } from "@commander-js/extra-typings";
import { hostLines, installHosts } from "../mcp/host-lines.js";
import {
  DAY_MINUTES,
  type OptionsOf,
  placeOptions,
  terminalOptions,
  upTo,
  writeOptions,
} from "./shared-options.js";

/** The options of a command that may start the person's gateway. */
export const gatewayOptions = (command: Command) =>
  command
    .option(
      "--idle <minutes>",
      "stop the gateway after it is idle for this long (default: 10)",
      upTo(DAY_MINUTES),
    )
    .option("--notify <command>", "shell command that the gateway runs for each question, as in serve")
    .addOption(
      new Option(
        "--notify-text <how>",
        "how much of the question the command gets; header by default",
      ).choices(["none", "header", "full"]),
    );

/** `askwire mcp`. */
export const mcpCommand = (program: CommandUnknownOpts) =>
  writeOptions(
    placeOptions(gatewayOptions(program.command("mcp")))
      .summary("serve MCP tools with which any agent can ask you")
      .description(
        "Serve the MCP tools ask_user_question, ask_user_approval and ask_user_status over standard input and output, for Claude Code, " +
          "Codex, Cursor, VS Code, OpenCode or another MCP host. You answer in a browser, on a phone or in a terminal.",
      )
      .option(
        "--timeout <seconds>",
        "how long a call waits before it returns a handle (default: by host, else 50)",
        upTo(DAY_MINUTES * 60),
      )
      .option(
        "--approvals",
        "for Claude Code: offer the tool approve too, for its --permission-prompt-tool; with --install also its hooks",
      )
      .addOption(
        new Option("--via <way>", "where to ask: at the gateway, or by elicitation in the host's own form")
          .choices(["gateway", "elicitation"])
          .default("gateway"),
      )
      .addOption(
        new Option(
          "--on-cancel <what>",
          "what to do with a question if its call is cancelled or its host is gone",
        )
          .choices(["keep", "withdraw"])
          .default("keep"),
      )
      .addOption(
        new Option(
          "--print <host>",
          "print the command or configuration that adds askwire to this host, and exit",
        ).choices(Object.keys(hostLines)),
      )
      .addOption(
        new Option(
          "--install <host>",
          "write the server, and the rule that allows its tools, into this host's settings: shows the change and asks",
        ).choices(installHosts),
      )
      .addOption(
        new Option("--uninstall <host>", "take out again what --install has written").choices(installHosts),
      ),
  ).addHelpText(
    "after",
    `
The first call starts your gateway, a background process that serves the page to all your agents. Open it with
"askwire open". Hosts limit the time of a tool call: before it runs out, the call returns a handle, the question stays
open, and the agent asks again with the handle. A timeout and a person's cancel look the same, so a cancelled question
is kept unless you set --on-cancel withdraw. See docs/mcp.md for the configuration of each host.

Examples:
  askwire mcp --install claude                  add the tools to Claude Code, for all your projects
  askwire mcp --install claude --approvals      have what Claude Code wants to do come to you too
  askwire mcp --install codex --dry-run         look at what that would write for Codex
  askwire mcp --uninstall claude                remove them again
  askwire mcp --print claude-code               print how to add the tools to Claude Code by hand
  askwire open                                  open the questions in your browser`,
  );

export type McpOptions = OptionsOf<typeof mcpCommand>;

/** `askwire open`. */
export const openCommand = (program: CommandUnknownOpts) =>
  terminalOptions(gatewayOptions(program.command("open")))
    .summary("open your agents' questions in the browser")
    .description(
      'Open the page on which "askwire mcp" asks, with a one-time code. Starts your gateway if it is not running.',
    )
    .option("--terminal", "show them in this terminal instead, as askwire inbox does")
    .addHelpText(
      "after",
      `
Examples:
  askwire open
  askwire open --terminal`,
    );

export type OpenOptions = OptionsOf<typeof openCommand>;

/** `askwire gateway`, which `askwire mcp` and `askwire open` start. */
export const gatewayCommand = (program: CommandUnknownOpts) =>
  gatewayOptions(program.command("gateway", { hidden: true })).description(
    'Run the gateway; "askwire mcp" and "askwire open" start it.',
  );

export type GatewayOptions = OptionsOf<typeof gatewayCommand>;
