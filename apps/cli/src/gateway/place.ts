// The files that a running gateway keeps in its folder. Only its person can read them.
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type GatewayState, gatewayFile, gatewayFolder } from "@askwire/client/gateway";

/** The id of the session that agents ask in. */
export const GATEWAY_SESSION = "your-agents";

/** The folder of the codes that `askwire open` makes. */
export const codesFolder = (home: string): string => join(gatewayFolder(home), "codes");

/** Writes the gateway down, as a whole file or not at all. */
export function writeGateway(home: string, state: GatewayState): void {
  const written = `${gatewayFile(home)}.${state.pid}`;
  writeFileSync(written, JSON.stringify(state), { mode: 0o600 });
  renameSync(written, gatewayFile(home));
}
