import { readdirSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { LOCK_FILE } from "@askwire/protocol/node";
import { nodeDisk } from "./disk.js";
import { takeLock } from "./lock.js";
import { JOURNAL_FILE } from "./places.js";

/**
 * Removes a kept session with all its files. The journal goes last, so that a removal that fails leaves a session that
 * can be removed.
 *
 * @throws LocalError INVALID_STATE if a process has the session open (P-JRN-7).
 * @throws the system's error if a file cannot be removed.
 */
export function removeSession(folder: string): void {
  const release = takeLock(nodeDisk, folder);
  try {
    for (const name of readdirSync(folder)) {
      if (name !== LOCK_FILE && name !== JOURNAL_FILE) rmSync(join(folder, name), { recursive: true });
    }
    rmSync(join(folder, JOURNAL_FILE), { force: true });
  } finally {
    release();
  }
  try {
    rmdirSync(folder);
  } catch {
    // Another process has begun a session of the same name meanwhile.
  }
}
