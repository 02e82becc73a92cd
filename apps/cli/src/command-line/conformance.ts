import type { CommandUnknownOpts } from "@commander-js/extra-typings";

/** `askwire conformance`, whose package reads the options and has the help. */
export const conformanceCommand = (program: CommandUnknownOpts) =>
  program
    .command("conformance")
    .summary("check a server or a client in any language")
    .helpOption(false)
    .usage("server|client|gateway [options] -- COMMAND, cluster ADDRESS ADDRESS..., or template LANGUAGE")
    .argument("[arguments...]")
    .allowUnknownOption()
    .passThroughOptions();
