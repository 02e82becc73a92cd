import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { LocalError } from "@askwire/protocol";
import * as z from "@askwire/protocol/internal";
import { validateCompiled } from "@askwire/protocol/node";
import { type Disk, nodeDisk, readText } from "./disk.js";

/** The name of the file that says of a session where it is, once it was moved. */
const MOVED_FILE = "moved.json";

/**
 * The last move of a session between its folder and a store.
 *
 * - `leaving`: it may be in the store already; the folder still has it.
 * - `gone`: it is in the store.
 * - `coming`: the store may have given it away already, and all of it is beside its place.
 * - `here`: it came back, and is opened as before.
 */
export const MovedMark = z.object({
  state: z.enum(["leaving", "gone", "coming", "here"]),
  /** The id of the move. */
  move: z.string(),
  /** The move before it, of one that is leaving again. */
  after: z.optional(z.string()),
  /** The address of the store, without a secret, its schema, and its name in errors. */
  store: z.string(),
  schema: z.optional(z.string()),
  name: z.string(),
  /** The words for who opens it here. */
  why: z.string(),
});
export type MovedMark = z.output<typeof MovedMark>;

/**
 * Reads the mark of a session's folder. Undefined for one that never moved.
 *
 * @param disk default: this machine's.
 * @throws LocalError INVALID_STATE for one that cannot be read.
 */
export function readMovedMark(folder: string, disk: Disk = nodeDisk): MovedMark | undefined {
  const file = join(folder, MOVED_FILE);
  const text = readText(disk, file);
  if (text === undefined) return undefined;
  const mark = validateCompiled(MovedMark, jsonIn(text));
  if (mark.ok) return mark.value as MovedMark;
  throw new LocalError(
    "INVALID_STATE",
    `${file} says where the session is, and cannot be read: mend it, or remove it where the session is here alone`,
  );
}

/** The value of a JSON text; undefined for any other text. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @throws LocalError INVALID_STATE with the place of a session that is elsewhere, or may be. */
export function refuseMoved(disk: Disk, folder: string): void {
  const mark = readMovedMark(folder, disk);
  if (mark !== undefined && mark.state !== "here") throw new LocalError("INVALID_STATE", mark.why);
}

/** Writes the mark of a folder, which is safe on the disk once this returns. */
export function writeMovedMark(folder: string, mark: MovedMark): void {
  const file = join(folder, MOVED_FILE);
  const fd = openSync(`${file}.new`, "w", 0o600);
  try {
    writeSync(fd, `${JSON.stringify(mark)}\n`);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(`${file}.new`, file);
  syncFolderOf(folder);
}

/** Removes the mark of a folder. */
export function removeMovedMark(folder: string): void {
  rmSync(join(folder, MOVED_FILE), { force: true });
  syncFolderOf(folder);
}

/** Makes the names of a folder safe; a system that cannot do so for a folder does without. */
export function syncFolderOf(folder: string): void {
  let fd: number | undefined;
  try {
    fd = openSync(folder, "r");
    fsyncSync(fd);
  } catch {
    // Windows opens no folder.
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
