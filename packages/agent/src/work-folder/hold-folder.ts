import { constants } from "node:fs";
import { open, readlink } from "node:fs/promises";

/** A folder that stays this one, whatever comes to be at its path meanwhile. */
export interface HeldFolder {
  /** A path to the folder, for calls of the file system. */
  readonly path: string;
  close(): Promise<void>;
}

/**
 * Holds a folder open by its real path; `undefined` if it is gone. Only Linux can reach into an open folder. Elsewhere
 * the folder's path stands for it.
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
