import type { Command, CommandUnknownOpts } from "@commander-js/extra-typings";
import type { OptionsOf } from "./shared-options.js";

const agentsPlace = (command: Command) =>
  command.option("--work-dir <folder>", "the folder whose project is meant; else this one");

/** `askwire agents`. */
export const agentsCommand = (program: CommandUnknownOpts) =>
  program
    .command("agents")
    .summary("list the agents that have a name, and approve those of a project")
    .description(
      "List the agents that have a name: those of your configuration, of the machine's, the shipped ones, and those of " +
        "the file .askwire/config.toml of the folder's project, whose commands you approve first.",
    )
    .helpCommand(false);

/** `askwire agents list`. */
export const listAgentsCommand = (agents: CommandUnknownOpts) =>
  agentsPlace(agents.command("list", { isDefault: true }))
    .summary("list them with where they come from and what they run")
    .description(
      "List the agents that have a name, with where each comes from, its command and its protocol.",
    )
    .option("--json", "one agent a line, as JSON")
    .addHelpText(
      "after",
      `
Of equal names yours counts, then the machine's, then the shipped one, and a project's last. The shipped ones are
fetched by npx when they are used first.

Examples:
  askwire agents
  askwire agents --json --work-dir ~/project`,
    );

export type ListOptions = OptionsOf<typeof listAgentsCommand>;

/** `askwire agents approve`. */
export const approveAgentCommand = (agents: CommandUnknownOpts) =>
  agentsPlace(agents.command("approve"))
    .summary("approve the command of a project's agent")
    .description(
      "Show all that a project's file says of an agent, and approve that once you have confirmed it. A content that " +
        "changes is asked about again.",
    )
    .argument("<name>", "its name")
    .option("--sha256 <hash>", "approve without asking, if this is the hash of the content")
    .addHelpText(
      "after",
      `
Exit code: 0 approved, also before; 1 not approved, or another failure; 2 wrong use.

Examples:
  askwire agents approve reviewer
  askwire agents approve reviewer --sha256 6f0c…   for a script; askwire agents --json has the hash`,
    );

export type ApproveOptions = OptionsOf<typeof approveAgentCommand>;

/** `askwire agents revoke`. */
export const revokeAgentsCommand = (agents: CommandUnknownOpts) =>
  agentsPlace(agents.command("revoke"))
    .summary("take approvals back")
    .description("Take the approvals of a project's agents back. Agents that run already go on.")
    .argument("<names...>", "their names")
    .addHelpText(
      "after",
      `
Exit code: 0 revoked; 2 wrong use, such as a name that is not approved; 1 another failure.

Example:
  askwire agents revoke reviewer`,
    );
