// The gateway of a person: one session on this machine in which all their programs ask. `@askwire/client/gateway`.
import { checkOptions, type OptionRules, option } from "@askwire/protocol/internal";
import { validateCompiled } from "@askwire/protocol/node";
import { connectRules } from "./checks/node.js";
import type { ClientSession, ConnectOptions } from "./contract/session.js";
import { webSocketDial } from "./dialing/web-socket.js";
import { type FindGatewayOptions, foundGateway } from "./gateway/find.js";
import type { GatewayState } from "./gateway/place.js";
import { openSession } from "./session/open-session.js";

export type { FindGatewayOptions } from "./gateway/find.js";
export {
  type GatewayState,
  gatewayFile,
  gatewayFolder,
  lastGateway,
  makeGatewayFolder,
  runningGateway,
} from "./gateway/place.js";

/** The options of {@link connectGateway}: those of `connect`, and those of {@link findGateway}. */
export interface GatewayConnectOptions
  extends Omit<ConnectOptions, "client" | "session" | "openKept" | "profile" | "signal">,
    FindGatewayOptions {
  /** The name of this program, as people see it. */
  readonly name: string;
  /** The version of this program. Default: none. */
  readonly version?: string | undefined;
}

const findRules: OptionRules<FindGatewayOptions> = {
  home: option.text,
  start: option.flag,
  command: option.list,
  env: option.object,
  idle: option.amount,
  notify: option.text,
  notifyText: option.text,
  startTimeoutMs: option.amount,
  signal: option.signal,
};

const {
  client: _client,
  session: _session,
  openKept: _openKept,
  profile: _profile,
  ...connecting
} = connectRules;
const rules: OptionRules<GatewayConnectOptions> = {
  ...connecting,
  ...findRules,
  name: option.required(option.text),
  version: option.text,
};

/**
 * Finds the gateway of this person on this machine, and starts one where none runs. Of two that start at once, one ends.
 *
 * @throws TypeError for an option that is unknown or does not fit.
 * @throws LocalError SPAWN_FAILED without the `askwire` command, PROCESS_EXITED if the gateway ends at once,
 * CONNECT_FAILED if it does not listen in time, or if none runs and `start` is false; each with the next step.
 */
export async function findGateway(options: FindGatewayOptions = {}): Promise<GatewayState> {
  checkOptions("findGateway", options, findRules);
  return await foundGateway(options);
}

/**
 * Connects to the gateway of this person, which is started where none runs. A connection that is lost is opened again to
 * the gateway that runs then, or to one that is started: an ask that waits goes on there, under its key (P-XAK-9).
 *
 * @throws TypeError and LocalError as {@link findGateway} does, and LocalError as `connectWebSocket` does.
 */
export async function connectGateway(options: GatewayConnectOptions): Promise<ClientSession> {
  checkOptions("connectGateway", options, rules);
  const {
    name,
    version,
    home,
    start,
    command,
    env,
    idle,
    notify,
    notifyText,
    startTimeoutMs,
    signal,
    ...more
  } = options;
  const find = { home, start, command, env, idle, notify, notifyText, startTimeoutMs };
  const dial = async (stop: AbortSignal) => {
    const { address } = await foundGateway({ ...find, signal: stop });
    return webSocketDial(address, more)(stop);
  };
  return await openSession(dial, true, {
    validate: validateCompiled,
    ...more,
    ...(signal !== undefined && { signal }),
    client: { name, ...(version !== undefined && { version }) },
  });
}
