import { type Command, type CommandUnknownOpts, Option } from "@commander-js/extra-typings";
import { hostLines } from "../mcp/host-lines.js";
import { type OptionsOf, terminalOptions, upTo } from "./shared-options.js";

/** The longest wait of the options of `askwire mcp`, in minutes. */
const DAY_MINUTES = 24 * 60;

const gatewayOptions = (command: Command) =>
  command
    .option(
      "--idle <minutes>",
      "how long the gateway stays while nobody needs it; else 10",
      upTo(DAY_MINUTES),
    )
    .option("--notify <command>", "a line of the shell that the gateway runs for each question, as in serve")
    .addOption(
      new Option("--notify-text <how>", "how much of a question it is told; else header").choices([
        "none",
        "header",
        "full",
      ]),
    );

/** `askwire mcp`. */
export const mcpCommand = (program: CommandUnknownOpts) =>
  gatewayOptions(program.command("mcp"))
    .summary("an MCP server: gives any agent tools that ask you")
    .description(
      "Serve MCP over standard input and output: the tools ask_user_question and ask_user_status, for the configuration " +
        "of Claude Code, Codex, Cursor, VS Code, OpenCode or another MCP host. You answer in a browser, on a phone or in a terminal.",
    )
    .option(
      "--connect <address>",
      'ask at a running server, as "askwire serve --listen" prints it; else at your gateway',
    )
    .option("--token-file <file>", "where its token is, if not in the address; else ASKWIRE_TOKEN")
    .option(
      "--timeout <seconds>",
      "how long a call waits before it returns with a handle; else by host, or 50",
      upTo(DAY_MINUTES * 60),
    )
    .addOption(
      new Option(
        "--via <way>",
        "where questions are asked: elicitation is the host's own form, where it has one",
      )
        .choices(["gateway", "elicitation"])
        .default("gateway"),
    )
    .addOption(
      new Option(
        "--on-cancel <what>",
        "what becomes of a question whose call is cancelled, or whose host is gone",
      )
        .choices(["keep", "withdraw"])
        .default("keep"),
    )
    .addOption(
      new Option(
        "--print <host>",
        "print what to type or to write so that the host starts this installation, and end",
      ).choices(Object.keys(hostLines)),
    )
    .addHelpText(
      "after",
      `
The first call starts your gateway, a process in the background with the page; all your agents share it. Open it with
"askwire open". A host gives a tool call little time: before it is over, the call returns with a handle, the question
stays open, and the agent comes back with the handle. A host's limit and a person's cancel look alike, so a cancelled
question is kept unless --on-cancel withdraw says otherwise. docs/mcp.md has the configuration of each host.

Examples:
  askwire mcp --print claude-code               what to type so that Claude Code has the tools
  askwire open                                  the page with the questions, in your browser`,
    );

export type McpOptions = OptionsOf<typeof mcpCommand>;

/** `askwire open`. */
export const openCommand = (program: CommandUnknownOpts) =>
  terminalOptions(gatewayOptions(program.command("open")))
    .summary("open the questions of your agents, in the browser")
    .description(
      'Open the page of your gateway in the browser, with a code that counts once: there "askwire mcp" asks. Starts the ' +
        "gateway where none runs.",
    )
    .option("--terminal", "answer in this terminal instead")
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
    'The gateway that "askwire mcp" and "askwire open" start.',
  );

export type GatewayOptions = OptionsOf<typeof gatewayCommand>;
