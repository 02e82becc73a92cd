// The servers of this person on this machine, each written down by itself, so that their inbox finds them. Only that
// person can read the files, which hold tokens.
import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lifeOf, readLock } from "@askwire/protocol/node";
import * as z from "zod/mini";

/** The most servers that are read. */
const MOST = 64;
/** The bytes of the largest file that is read. */
const LARGEST = 16 * 1024;
const FILE = /^\d+-[0-9a-f]{12}\.json$/;

const Written = z.object({ address: z.string(), name: z.string() });

/** A server as it wrote itself down. */
interface RegisteredServer {
  /** The file, which goes with the server. */
  readonly file: string;
  /** The address without a session, with the token. */
  readonly address: string;
  /** The name of its agent. */
  readonly name: string;
}

/** The folder of the files beside the kept sessions of `home`. */
const folderOf = (home: string) => join(home, "servers");

/**
 * Writes this process's server down (mode 0600, in a folder of mode 0700). Returns what takes that back.
 *
 * @param server.address with the token, which stands in this file alone.
 * @throws the system's error where the file cannot be written.
 */
export function registerServer(
  home: string,
  { address, name }: Pick<RegisteredServer, "address" | "name">,
): () => void {
  const folder = folderOf(home);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `${process.pid}-${randomBytes(6).toString("hex")}.json`);
  const written = `${file}.new`;
  const { start: started } = lifeOf(process.pid);
  writeFileSync(written, JSON.stringify({ pid: process.pid, started, address, name }), {
    mode: 0o600,
    flag: "wx",
  });
  renameSync(written, file);
  const forget = () => forgetServer(file);
  process.once("exit", forget);
  return () => {
    process.off("exit", forget);
    forget();
  };
}

/** The servers whose processes live, in no order. Files of processes that have ended are removed. */
export function registeredServers(home: string): RegisteredServer[] {
  const folder = folderOf(home);
  const found: RegisteredServer[] = [];
  for (const name of namesIn(folder)) {
    if (found.length === MOST) break;
    const file = join(folder, name);
    const text = textOf(file);
    const server = text === undefined ? undefined : serverIn(text);
    if (text === undefined) continue;
    if (server === undefined || !readLock(text).lives) forgetServer(file);
    else found.push({ file, ...server });
  }
  return found;
}

/** Removes the file of a server that is gone. */
export function forgetServer(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // The next look tries again.
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => FILE.test(name));
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

function serverIn(text: string): z.output<typeof Written> | undefined {
  try {
    const { address, name } = Written.parse(JSON.parse(text));
    return { address, name };
  } catch {
    return undefined;
  }
}
