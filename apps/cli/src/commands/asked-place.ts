import { type GatewaySettings, ownGateway } from "../gateway/own-gateway.js";
import { usageFailure } from "../input/failure.js";
import { clientToken } from "../input/token.js";
import type { AskedPlace } from "../mcp/connected-gateway.js";

/** The options of a command that asks for a host. */
export interface AskedPlaceOptions extends GatewaySettings {
  readonly connect?: string | undefined;
  readonly tokenFile?: string | undefined;
}

/**
 * The place that a command asks at: the address that it was given, else the person's gateway.
 *
 * @throws Failure for options that do not go together.
 */
export function askedPlace(command: string, home: string, options: AskedPlaceOptions): AskedPlace {
  const { connect, tokenFile, notify, idle } = options;
  if (connect === undefined) {
    if (tokenFile !== undefined)
      throw usageFailure(`${command}: --token-file needs --connect ADDRESS: add that, or leave it out`);
    return { gateway: ownGateway(home, options) };
  }
  if (notify !== undefined || idle !== undefined)
    throw usageFailure(
      `${command}: --${notify === undefined ? "idle" : "notify"} is for your own gateway: leave --connect out`,
    );
  const token = /#./s.test(connect) ? undefined : clientToken(options as { tokenFile?: string });
  return { address: connect, token };
}
