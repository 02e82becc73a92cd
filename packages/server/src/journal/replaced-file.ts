import {
  closeSync,
  existsSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  writeSync,
} from "node:fs";
import type { DiskFile } from "./disk.js";

/** A file that is being written. */
export type WrittenFile = Pick<DiskFile, "write">;

/** The owner and the mode that a new file is to have. */
export type FileRights = Pick<Stats, "uid" | "gid" | "mode">;

const PERMISSIONS = 0o7777;

/** The place of a file that is to replace another, until it is whole. */
const besideOf = (path: string): string => `${path}.next`;

/** True if a process began to replace a file and was killed, or is at it. */
export const hasUnfinished = (path: string): boolean => existsSync(besideOf(path));

/** Removes a file that a process began, and that replaced nothing since the process was killed. */
export const removeUnfinished = (path: string): void => rmSync(besideOf(path), { force: true });

/**
 * Replaces a file once the new one is safe on the disk: a crash leaves one of them, whole.
 *
 * @param rights of the new file. It has them before it has the name.
 * @param write writes the contents. It is given the descriptor too, for times and the like.
 * @throws the system's error; then the file is as before, and nothing is left beside it.
 */
export function replaceWhole(
  path: string,
  rights: FileRights,
  write: (file: WrittenFile, fd: number) => void,
): void {
  removeUnfinished(path);
  const fd = openSync(besideOf(path), "wx", 0o600);
  try {
    try {
      write({ write: (bytes) => writeSync(fd, bytes) }, fd);
      keepRights(fd, rights);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(besideOf(path), path);
  } catch (error) {
    removeUnfinished(path);
    throw error;
  }
}

function keepRights(fd: number, { uid, gid, mode }: FileRights): void {
  const now = fstatSync(fd);
  if (now.uid !== uid || now.gid !== gid) fchownSync(fd, uid, gid);
  // A change of the owner may take bits of the mode away.
  if ((now.mode & PERMISSIONS) !== (mode & PERMISSIONS)) fchmodSync(fd, mode & PERMISSIONS);
}
