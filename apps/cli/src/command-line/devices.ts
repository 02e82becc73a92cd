import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import type { OptionsOf } from "./shared-options.js";

/** `askwire devices`. */
export const devicesCommand = (program: CommandUnknownOpts) =>
  program
    .command("devices")
    .summary("list, name or revoke paired devices")
    .description(
      'List the browsers and phones paired with "askwire serve --open" or "--qr": id, last use, date of pairing, and ' +
        "whether a device may only answer. A paired device may connect to all of your servers.",
    )
    .helpCommand(false);

/** `askwire devices list`. */
export const listDevicesCommand = (devices: CommandUnknownOpts) =>
  devices
    .command("list", { isDefault: true })
    .summary("list paired devices, most recently used first")
    .description("List paired devices, most recently used first.")
    .option("--json", "print one JSON object per line");

export type DeviceListOptions = OptionsOf<typeof listDevicesCommand>;

/** `askwire devices name`. */
export const nameDeviceCommand = (devices: CommandUnknownOpts) =>
  devices
    .command("name")
    .summary("say whose a device is")
    .description("Say whose a device is. From its next connection on it answers in that name.")
    .argument("<id>", "device id")
    .argument("<name>", "the person's name, as others will read it")
    .addHelpText(
      "after",
      `
Exit codes: 0 named; 2 usage error, such as an unknown id; 1 other failure.

Example:
  askwire devices name 3k9f0a2c Ann`,
    );

/** `askwire devices revoke`. */
export const revokeDevicesCommand = (devices: CommandUnknownOpts) =>
  devices
    .command("revoke")
    .summary("revoke devices and close their connections")
    .description("Revoke devices. Running servers close their connections within a second.")
    .argument("<ids...>", "device ids")
    .addHelpText(
      "after",
      `
Exit codes: 0 revoked; 2 usage error, such as an unknown id; 1 other failure.

Example:
  askwire devices revoke 3k9f0a2c`,
    );
