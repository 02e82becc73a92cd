import { PROTOCOL_VERSION } from "@askwire/protocol";
import type { InfoOptions } from "../command-line/info.js";

/** The version of `kimi` whose place this command takes. Clients compare it with the version that they need. */
const KIMI_CLI_VERSION = "1.49.0";

/** Prints the name, version and protocols of this command. */
export function info(options: InfoOptions): void {
  const facts = {
    kimi_cli_version: KIMI_CLI_VERSION,
    wire_protocol_version: PROTOCOL_VERSION,
    askwire_version: __ASKWIRE_VERSION__,
  };
  const text = options.json
    ? JSON.stringify(facts)
    : `askwire ${facts.askwire_version}\nwire protocol ${facts.wire_protocol_version} (as kimi-cli ${facts.kimi_cli_version})`;
  process.stdout.write(`${text}\n`);
}
