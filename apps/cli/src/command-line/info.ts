import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import type { OptionsOf } from "./shared-options.js";

/** `askwire info`. */
export const infoCommand = (program: CommandUnknownOpts) =>
  program
    .command("info")
    .summary("print version information")
    .description("Print the versions of askwire and of the protocol.")
    .option("--json", "print one line of JSON");

export type InfoOptions = OptionsOf<typeof infoCommand>;
