import { constants } from "node:fs";
import { open, readlink } from "node:fs/promises";

/** A folder that stays this one, whatever comes to be at its path meanwhile. */
export interface HeldFolder {
  /** What leads to it, for the calls of the file system. */
  readonly path: string;
  close(): Promise<void>;
}

/**
 * Holds a folder open by its real path; `undefined` if it is no longer there. Where the system has no way to reach
 * what lies in an open folder, which is everywhere but on Linux, its path leads to it.
 */
export async function holdFolder(folder: string): Promise<HeldFolder | undefined> {
  if (process.platform !== "linux") return { path: folder, close: async () => {} };
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
  const handle = await open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW).catch(() => undefined);
  if (handle === undefined) return undefined;
  const held = `/proc/self/fd/${handle.fd}`;
  const known = await readlink(held).catch(() => undefined);
  if (known === undefined || known === folder) {
    return { path: known === undefined ? folder : held, close: () => handle.close() };
  }
  await handle.close();
  return undefined;
}
