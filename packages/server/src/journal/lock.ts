import { createHash } from "node:crypto";
import { join } from "node:path";
import { LocalError } from "@askwire/protocol";
import { LOCK_FILE, type LockHolder, lifeOf, readLock } from "@askwire/protocol/node";
import { uuid } from "../runtime/uuid.js";
import { type Disk, hasCode, readText, writeAll } from "./disk.js";

/**
 * Takes a session's folder for this process, by a lock file in it (P-JRN-7). Takes over the lock of a process that has
 * ended.
 *
 * @returns a function that releases the lock.
 * @throws LocalError INVALID_STATE if a process has it, also this one: the message names it and the file.
 */
export function takeLock(disk: Disk, folder: string): () => void {
  const file = join(folder, LOCK_FILE);
  const mine = JSON.stringify({ pid: process.pid, started: lifeOf(process.pid).start, token: uuid() });
  take(disk, file, mine);
  return () => {
    if (readText(disk, file) === mine) disk.unlink(file);
  };
}

/**
 * Takes a lock file. Of several processes that find the file of one that has ended, one alone may replace it: whoever
 * has the file that is named after its text, which is taken in the same way.
 */
function take(disk: Disk, file: string, mine: string): void {
  if (made(disk, file, mine)) return;
  const found = readText(disk, file);
  // The file is gone where its process has released it since.
  if (found === undefined && made(disk, file, mine)) return;
  if (found === undefined || readLock(found).lives) throw inUse(file, readLock(found ?? ""));
  const right = `${file}.${createHash("sha256").update(found).digest("hex").slice(0, 16)}`;
  take(disk, right, mine);
  try {
    // An earlier holder of the right may have replaced the file since it was read.
    const now = readText(disk, file);
    if (now !== found) throw inUse(file, readLock(now ?? ""));
    disk.rename(right, file);
  } catch (error) {
    disk.unlink(right);
    throw error;
  }
}

/** Makes a file; false if the name is taken. It is linked after writing, so that nobody reads half a file. */
function made(disk: Disk, file: string, text: string): boolean {
  const written = `${file}.${uuid()}`;
  writeNew(disk, written, text);
  try {
    disk.link(written, file);
    return true;
  } catch (error) {
    return !hasCode(error, "EEXIST") && madeInPlace(disk, file, text);
  } finally {
    disk.unlink(written);
  }
}

/** Makes a file on a file system where none has two names. */
function madeInPlace(disk: Disk, file: string, text: string): boolean {
  try {
    writeNew(disk, file, text);
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  }
}

function writeNew(disk: Disk, path: string, text: string): void {
  const file = disk.open(path, "new");
  try {
    writeAll(file, Buffer.from(text));
  } finally {
    file.close();
  }
}

/** Finds who has a session, without taking it. Undefined for nobody. */
export function lockHolder(disk: Disk, folder: string): LockHolder | undefined {
  const found = readText(disk, join(folder, LOCK_FILE));
  return found === undefined ? undefined : readLock(found);
}

/**
 * Refuses a session's folder that another process has, without taking it.
 *
 * @throws LocalError INVALID_STATE as {@link takeLock}.
 */
export function refuseLocked(disk: Disk, folder: string): void {
  const holder = lockHolder(disk, folder);
  if (holder?.lives === true) throw inUse(join(folder, LOCK_FILE), holder);
}

function inUse(file: string, { pid }: LockHolder): LocalError {
  return new LocalError(
    "INVALID_STATE",
    `the session is in use by process ${pid ?? "another"} (${file}): end that process or use another session`,
  );
}
