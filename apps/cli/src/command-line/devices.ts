import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import type { OptionsOf } from "./shared-options.js";

/** `askwire devices`. */
export const devicesCommand = (program: CommandUnknownOpts) =>
  program
    .command("devices")
    .summary("list the devices that were paired, and revoke some")
    .description(
      'List the browsers and phones that a code of "askwire serve --open" or "--qr" has paired: their ids, when each ' +
        "was used last and paired, and which may only answer. Each may connect to every server of this person.",
    )
    .helpCommand(false);

/** `askwire devices list`. */
export const listDevicesCommand = (devices: CommandUnknownOpts) =>
  devices
    .command("list", { isDefault: true })
    .summary("list them, the one that was used last first")
    .description("List the devices that were paired, the one that was used last first.")
    .option("--json", "one device a line, as JSON");

export type ListOptions = OptionsOf<typeof listDevicesCommand>;

/** `askwire devices revoke`. */
export const revokeDevicesCommand = (devices: CommandUnknownOpts) =>
  devices
    .command("revoke")
    .summary("let some in no more, and close their connections")
    .description("Let devices in no more. Servers that run close their connections within a second.")
    .argument("<ids...>", "their ids")
    .addHelpText(
      "after",
      `
Exit code: 0 revoked; 2 wrong use, such as an id of no device; 1 another failure.

Example:
  askwire devices revoke 3k9f0a2c`,
    );
