import type { Command, CommandUnknownOpts } from "@commander-js/extra-typings";
import type { OptionsOf } from "./shared-options.js";

const agentsPlace = (command: Command) =>
  command.option("--work-dir <folder>", "the project in this folder (default: the current one)");

/** `askwire agents`. */
export const agentsCommand = (program: CommandUnknownOpts) =>
  program
    .command("agents")
    .summary("list named agents, and approve those of a project")
    .description(
      "List named agents: those in your configuration and the machine's, those shipped with askwire, and those in a project's " +
        ".askwire/config.toml, whose commands need your approval.",
    )
    .helpCommand(false);

/** `askwire agents list`. */
export const listAgentsCommand = (agents: CommandUnknownOpts) =>
  agentsPlace(agents.command("list", { isDefault: true }))
    .summary("list agents with their origin and command")
    .description("List named agents with their origin, command and protocol.")
    .option("--json", "print one JSON object per line")
    .addHelpText(
      "after",
      `
If names clash, yours wins, then the machine's, the shipped one, and last the project's. npx fetches a shipped
agent when you first use it.

Examples:
  askwire agents
  askwire agents --json --work-dir ~/project`,
    );

export type AgentListOptions = OptionsOf<typeof listAgentsCommand>;

/** `askwire agents approve`. */
export const approveAgentCommand = (agents: CommandUnknownOpts) =>
  agentsPlace(agents.command("approve"))
    .summary("approve the command of a project's agent")
    .description(
      "Show a project agent's full configuration, and approve it after you confirm. If it changes, you are asked again.",
    )
    .argument("<name>", "the name of the agent")
    .option("--sha256 <hash>", "approve without asking if the configuration has this hash")
    .addHelpText(
      "after",
      `
Exit codes: 0 approved, now or before; 1 not approved, or other failure; 2 usage error.

Examples:
  askwire agents approve reviewer
  askwire agents approve reviewer --sha256 6f0c…   for a script; askwire agents --json prints the hash`,
    );

export type ApproveOptions = OptionsOf<typeof approveAgentCommand>;

/** `askwire agents revoke`. */
export const revokeAgentsCommand = (agents: CommandUnknownOpts) =>
  agentsPlace(agents.command("revoke"))
    .summary("revoke approvals")
    .description("Revoke the approvals of a project's agents. Running agents are not stopped.")
    .argument("<names...>", "the names of the agents")
    .addHelpText(
      "after",
      `
Exit codes: 0 revoked; 2 usage error, such as a name that is not approved; 1 other failure.

Example:
  askwire agents revoke reviewer`,
    );
