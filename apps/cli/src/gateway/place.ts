// The files of a person's gateway: its lock, its address with the token, its log. Only that person can read them.
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lockHolder, nodeDisk } from "@askwire/server/internal";
import * as z from "zod/mini";
import { CommandFailure } from "../input/failure.js";

/** The id of the session that agents ask in. */
export const GATEWAY_SESSION = "your-agents";

/** The size from which a start begins the log anew, in bytes. */
const MOST_LOG = 1024 * 1024;

/** The place of a gateway that runs, or has run. */
export interface GatewayState {
  readonly pid: number;
  readonly port: number;
  readonly token: string;
  /** The address of the session, with the token. */
  readonly address: string;
}

const State = z.object({ pid: z.int(), port: z.int(), token: z.string(), address: z.string() });

/** The folder of the gateway beside the kept sessions. */
export const gatewayFolder = (share: string): string => join(share, "gateway");

/** The folder of the codes that `askwire open` makes. */
export const codesFolder = (share: string): string => join(gatewayFolder(share), "codes");

/** The file of the gateway's log. */
export const gatewayLog = (share: string): string => join(gatewayFolder(share), "log");

const stateFile = (share: string) => join(gatewayFolder(share), "gateway.json");

/**
 * Makes the folder of the gateway.
 *
 * @throws Failure if the folder cannot be made.
 */
export function makeGatewayFolder(share: string): string {
  const folder = gatewayFolder(share);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return folder;
  } catch (error) {
    throw new CommandFailure(
      `the folder of the gateway cannot be made (${(error as Error).message}): set ASKWIRE_HOME to another folder`,
    );
  }
}

/** The last gateway as it wrote itself down; undefined where none has. */
export function lastGateway(share: string): GatewayState | undefined {
  try {
    const read = State.safeParse(JSON.parse(readFileSync(stateFile(share), "utf8")));
    return read.success ? read.data : undefined;
  } catch {
    return undefined;
  }
}

/** The gateway that runs: the process that has the lock, once it listens. */
export function runningGateway(share: string): GatewayState | undefined {
  const state = lastGateway(share);
  if (state === undefined) return undefined;
  const holder = lockHolder(nodeDisk, gatewayFolder(share));
  return holder?.lives === true && holder.pid === state.pid ? state : undefined;
}

/** Writes the gateway down, as a whole file or not at all. */
export function writeGateway(share: string, state: GatewayState): void {
  const written = `${stateFile(share)}.${state.pid}`;
  writeFileSync(written, JSON.stringify(state), { mode: 0o600 });
  renameSync(written, stateFile(share));
}

/** Opens the log to append to, and calls `use` with its descriptor. A log that has grown large begins anew. */
export function withLog(share: string, use: (descriptor: number) => void): void {
  const file = gatewayLog(share);
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const descriptor = openSync(file, size > MOST_LOG ? "w" : "a", 0o600);
  try {
    use(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
