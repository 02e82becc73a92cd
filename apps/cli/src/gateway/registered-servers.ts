// The servers of this person on this machine, each written down by itself, so that their inbox finds them. Only that
// person can read the files, which hold tokens.
import { randomBytes } from "node:crypto";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lifeOf, serverFiles, serversFolder } from "@askwire/protocol/node";

/** The most servers that are read. */
const MOST = 64;

/** A server as it wrote itself down. */
interface RegisteredServer {
  /** The file, which goes with the server. */
  readonly file: string;
  /** The address without a session, with the token. */
  readonly address: string;
  /** The name of its agent. */
  readonly name: string;
}

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
  const folder = serversFolder(home);
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
  const found: RegisteredServer[] = [];
  for (const { file, server } of serverFiles(home)) {
    if (found.length === MOST) break;
    if (server === undefined) forgetServer(file);
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
