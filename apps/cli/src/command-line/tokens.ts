import { type CommandUnknownOpts, Option } from "@commander-js/extra-typings";
import type { OptionsOf } from "./shared-options.js";

const TENANT_HELP = "the tenant that the person is of (default: none)";

/** `askwire tokens`. */
export const tokensCommand = (program: CommandUnknownOpts) =>
  program
    .command("tokens")
    .summary("give people tokens of their own, and revoke them")
    .description(
      "Give people tokens of their own. Whoever connects with one to your servers (askwire serve --listen) answers in " +
        "that name, whatever the client calls itself. Only a digest of a token is kept.",
    )
    .helpCommand(false);

/** `askwire tokens list`. */
export const listTokensCommand = (tokens: CommandUnknownOpts) =>
  tokens
    .command("list", { isDefault: true })
    .summary("list the names and what they may do")
    .description("List the names of those who have a token, and what they may do. No secret is shown.")
    .option("--json", "print one JSON object per line");

export type TokenListOptions = OptionsOf<typeof listTokensCommand>;

/** `askwire tokens add`. */
export const addTokenCommand = (tokens: CommandUnknownOpts) =>
  tokens
    .command("add")
    .summary("make a token for a person")
    .description("Make a token for a person and print it. It is shown this once.")
    .argument("<name>", "the person's name, as others will read it")
    .addOption(
      new Option("--role <role>", "what the person may do: everything, or only answer")
        .choices(["all", "answer"])
        .default("all"),
    )
    .option("--tenant <name>", TENANT_HELP)
    .addHelpText(
      "after",
      `
A client sends it as the server's own token: behind the # of an address, or from a file.

Exit codes: 0 made; 2 usage error, such as a name that has a token; 1 other failure.

Examples:
  askwire tokens add Ann --role answer
  askwire tokens add Ann --tenant acme          for the sessions of acme alone (askwire serve --tenant acme)
  askwire tokens add Ann > ann.token && askwire chat --connect ws://HOST:PORT/wire/ID --token-file ann.token`,
    );

export type AddTokenOptions = OptionsOf<typeof addTokenCommand>;

/** `askwire tokens rotate`. */
export const rotateTokenCommand = (tokens: CommandUnknownOpts) =>
  tokens
    .command("rotate")
    .summary("make another token for a person, and end the old one")
    .description(
      "Make another token for a person and print it, once. The old one no longer counts; running servers close its " +
        "connections within a second.",
    )
    .argument("<name>", "the person's name")
    .option("--tenant <name>", TENANT_HELP);

export type OneTokenOptions = OptionsOf<typeof rotateTokenCommand>;

/** `askwire tokens revoke`. */
export const revokeTokensCommand = (tokens: CommandUnknownOpts) =>
  tokens
    .command("revoke")
    .summary("revoke tokens and close their connections")
    .description("Revoke tokens. Running servers close their connections within a second.")
    .argument("<names...>", "the persons' names")
    .option("--tenant <name>", TENANT_HELP)
    .addHelpText(
      "after",
      `
Exit codes: 0 revoked; 2 usage error, such as an unknown name; 1 other failure.

Example:
  askwire tokens revoke Ann`,
    );
