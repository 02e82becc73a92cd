import type { FindGatewayOptions } from "@askwire/client/gateway";
import { ownStart } from "../installed/own-start.js";
import { commandEnvironment } from "../process/command-environment.js";

/** The settings of a gateway that is started. A gateway that runs already keeps its own. */
export type GatewaySettings = Pick<FindGatewayOptions, "idle" | "notify" | "notifyText">;

/**
 * The person's gateway, started by this command where none runs. It gets no keys of the agent's providers.
 *
 * @param home the folder of the person's sessions.
 */
export const ownGateway = (
  home: string,
  { idle, notify, notifyText }: GatewaySettings,
): FindGatewayOptions => ({
  ...{ home, idle, notify, notifyText },
  command: ownStart(),
  env: commandEnvironment(process.env),
});
