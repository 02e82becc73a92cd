import { type CommandUnknownOpts, Option } from "@commander-js/extra-typings";
import type { OptionsOf } from "./shared-options.js";

/** `askwire admin`. */
export const adminCommand = (program: CommandUnknownOpts) =>
  program
    .command("admin")
    .summary("give people roles, by which requests find those who may answer")
    .description(
      "Give people roles, such as payments. A request that is for a role (askwire ask --to role:payments) is answered " +
        "by whoever has it, and by nobody else. Your servers (askwire serve --listen) act on a change within a second.",
    )
    .helpCommand(false);

/** `askwire admin list`. */
export const listGrantsCommand = (admin: CommandUnknownOpts) =>
  admin
    .command("list", { isDefault: true })
    .summary("list who has which role")
    .description("List who has which role, and may answer or only see what is for it.")
    .option("--json", "print one JSON object per line");

export type GrantListOptions = OptionsOf<typeof listGrantsCommand>;

/** `askwire admin grant`. */
export const grantCommand = (admin: CommandUnknownOpts) =>
  admin
    .command("grant")
    .summary("give a person a role")
    .description("Give a person a role, or change what they may do with it.")
    .argument("<name>", "the person's name: of their token, their device, or your own (askwire serve --name)")
    .requiredOption("--role <role>", "the role, such as payments")
    .addOption(
      new Option("--may <what>", "what the person may do: answer, or only see what is for the role")
        .choices(["answer", "see"])
        .default("answer" as const),
    )
    .addHelpText(
      "after",
      `
A person who comes through a proxy (askwire serve --trust-header) is named as the proxy names them. The server's own
token and you yourself have no role until you grant one.

Exit codes: 0 granted; 2 usage error; 1 other failure.

Examples:
  askwire admin grant Ann --role payments
  askwire admin grant Ben --role payments --may see`,
    );

export type GrantOptions = OptionsOf<typeof grantCommand>;

/** `askwire admin revoke`. */
export const revokeGrantCommand = (admin: CommandUnknownOpts) =>
  admin
    .command("revoke")
    .summary("take roles of a person away")
    .description(
      "Take a role of a person away, or all that they have. What is open for it is taken from their screen, and an " +
        "answer that comes later is refused.",
    )
    .argument("<name>", "the person's name")
    .option("--role <role>", "the role to take (default: all)")
    .addHelpText(
      "after",
      `
Groups that a proxy names (askwire serve --groups-header) are taken away there.

Exit codes: 0 taken away; 2 usage error, such as a role that the person has not; 1 other failure.

Example:
  askwire admin revoke Ann --role payments`,
    );

export type RevokeGrantOptions = OptionsOf<typeof revokeGrantCommand>;
