// The files of a person's gateway: its lock, its address with the token, its log. Only that person can read them.
import { closeSync, mkdirSync, openSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { LocalError } from "@askwire/protocol";
import { LOCK_FILE, readLock } from "@askwire/protocol/node";
import { visibleLine } from "../text/visible-text.js";

/** The size from which a start begins the log anew, in bytes. */
const MOST_LOG = 1024 * 1024;
/** The characters of its last line that an error shows. */
const MOST_WORDS = 300;

/** The place of a gateway that runs, or has run. */
export interface GatewayState {
  readonly pid: number;
  readonly port: number;
  readonly token: string;
  /** The address of the session, with the token. */
  readonly address: string;
}

/** The folder of the gateway beside the kept sessions of `home`. */
export const gatewayFolder = (home: string): string => join(home, "gateway");

/** The file in which a gateway writes its {@link GatewayState} down. */
export const gatewayFile = (home: string): string => join(gatewayFolder(home), "gateway.json");

/** The file of the gateway's log. */
export const gatewayLog = (home: string): string => join(gatewayFolder(home), "log");

/**
 * Makes the folder of the gateway.
 *
 * @throws LocalError INVALID_STATE if the folder cannot be made.
 */
export function makeGatewayFolder(home: string): string {
  const folder = gatewayFolder(home);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return folder;
  } catch (error) {
    throw new LocalError(
      "INVALID_STATE",
      `the folder of the gateway cannot be made (${(error as Error).message}): set ASKWIRE_HOME to another folder`,
      { cause: error },
    );
  }
}

/** The last gateway as it wrote itself down; undefined where none has. */
export function lastGateway(home: string): GatewayState | undefined {
  const { pid, port, token, address } = Object(parsed(textOf(gatewayFile(home))));
  const isNumbered = Number.isInteger(pid) && Number.isInteger(port);
  return isNumbered && typeof token === "string" && typeof address === "string"
    ? { pid, port, token, address }
    : undefined;
}

/** The gateway that runs: the process that has the lock, once it listens. */
export function runningGateway(home: string): GatewayState | undefined {
  const state = lastGateway(home);
  const lock = state && textOf(join(gatewayFolder(home), LOCK_FILE));
  if (lock === undefined) return undefined;
  const { pid, lives } = readLock(lock);
  return lives && pid === state?.pid ? state : undefined;
}

/**
 * Opens the log to append to, and calls `use` with its descriptor and the byte from which on is written. A log that has
 * grown large begins anew.
 */
export function withLog(home: string, use: (descriptor: number, from: number) => void): void {
  const file = gatewayLog(home);
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const isLarge = size > MOST_LOG;
  const descriptor = openSync(file, isLarge ? "w" : "a", 0o600);
  try {
    use(descriptor, isLarge ? 0 : size);
  } finally {
    closeSync(descriptor);
  }
}

/** The last line of the log from a byte on, shortened; undefined for nothing. */
export function lastLogLine(home: string, from: number): string | undefined {
  const written = Buffer.from(textOf(gatewayLog(home)) ?? "").subarray(from);
  const line = written.toString().trimEnd().split("\n").at(-1)?.trim() ?? "";
  return line === "" ? undefined : visibleLine(line).slice(0, MOST_WORDS);
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return undefined;
  }
}
