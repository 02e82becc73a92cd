import { dirname } from "node:path";
import { type Disk, hasCode } from "./disk.js";

/**
 * Makes a folder for its owner alone, with its parents, step by step. Node's recursive call does not end in a file
 * system that takes none, such as /proc.
 *
 * @returns the folders in which a name is new, outermost first.
 * @throws the system's error if a folder cannot be made.
 */
export function makeFolder(disk: Disk, folder: string): string[] {
  if (disk.stat(folder) !== undefined) return [];
  const parent = dirname(folder);
  const changed = makeFolder(disk, parent);
  try {
    disk.mkdir(folder);
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!hasCode(error, "EEXIST")) throw error;
  }
  return [...changed, parent];
}
