// The servers of a person on this machine, each written down by itself in a file that only that person can read.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { readLock } from "./lock-holder.js";

/** The bytes of the largest file that is read. */
const LARGEST = 16 * 1024;
const FILE = /^(\d+)-[0-9a-f]{12}\.json$/;

/** A file in which a server wrote itself down. */
export interface ServerFile {
  /** Its path. */
  readonly file: string;
  /** The server. Undefined where its process has ended, or the file has another shape. */
  readonly server?: {
    /** The address without a session, with the token. */
    readonly address: string;
    /** The name of its agent. */
    readonly name: string;
  };
}

/** The folder of the files, beside the kept sessions of `home`. */
export const serversFolder = (home: string): string => join(home, "servers");

/**
 * Reads the files of servers one by one, in no order. Files that cannot be read are left out.
 *
 * @param pid the number of the process whose servers are wanted. Default: all.
 */
export function* serverFiles(home: string, pid?: string): Generator<ServerFile> {
  const folder = serversFolder(home);
  for (const name of namesIn(folder)) {
    const by = FILE.exec(name)?.[1];
    if (by === undefined || (pid !== undefined && by !== pid)) continue;
    const file = join(folder, name);
    const text = textOf(file);
    if (text !== undefined) yield { file, ...serverIn(text) };
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function textOf(file: string): string | undefined {
  try {
    return statSync(file).size > LARGEST ? "" : readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

function serverIn(text: string): Pick<ServerFile, "server"> {
  try {
    const { address, name } = JSON.parse(text);
    if (typeof address !== "string" || typeof name !== "string" || !readLock(text).lives) return {};
    return { server: { address, name } };
  } catch {
    return {};
  }
}
