import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import type { OptionsOf } from "./shared-options.js";

/** `askwire info`. */
export const infoCommand = (program: CommandUnknownOpts) =>
  program
    .command("info")
    .summary("print the versions")
    .description("Print the versions of the command and of the protocol.")
    .option("--json", "as one line of JSON");

export type InfoOptions = OptionsOf<typeof infoCommand>;
