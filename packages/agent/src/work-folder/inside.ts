import { constants } from "node:fs";
import { type FileHandle, lstat, open, readlink, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, sep, win32 } from "node:path";
import { oneLine } from "@askwire/server/internal";

/** The largest text, in bytes, that is read from the work folder as a whole. */
export const maxFileBytes = 1_048_576;

/** A path that is refused, or a file that cannot be read or written. The message is one line and names the path. */
export class WorkFolderError extends Error {
  override readonly name = "WorkFolderError";
  /** As it was given, from the work folder. */
  readonly path: string;

  constructor(path: string, problem: string, cause?: unknown) {
    super(oneLine(`${shortened(path)}: ${problem}`), { cause });
    this.path = path;
  }
}

/** A path of which a message has the beginning and the end. A name that a system takes is whole. */
const shortened = (path: string) =>
  path.length <= MOST_SHOWN ? path : `${path.slice(0, MOST_SHOWN / 2)}…${path.slice(-MOST_SHOWN / 2)}`;

const MOST_SHOWN = 512;

/** Describes the mistake in a written path, or returns `undefined`. */
export function pathProblem(path: string): string | undefined {
  const expected = "expected a path inside the work folder";
  if (path === "" || path.includes("\0")) return `${expected}, found ${JSON.stringify(path)}`;
  if (isAbsolute(path) || win32.isAbsolute(path) || /^[a-z]:/i.test(path))
    return `${expected}, found the absolute path ${path}`;
  if (path.includes("\\")) return `${expected} with / between its parts, found ${path}`;
  if (path.split("/").includes("..")) return `${expected} without "..", found ${path}`;
  return undefined;
}

/**
 * The real path of a file, there or not, that is inside the real work folder, all links followed.
 *
 * @throws WorkFolderError if it is outside, behind a link that leads nowhere, or has a name that the system does not take
 */
export async function resolveInside(workDir: string, path: string): Promise<string> {
  const problem = pathProblem(path);
  if (problem) throw new WorkFolderError(path, problem);
  const root = await realpath(workDir);
  const missing: string[] = [];
  let existing = join(root, path);
  while (!(await isThere(existing).catch(unreachable(path)))) {
    missing.unshift(basename(existing));
    existing = dirname(existing);
  }
  const real = await realpath(existing).catch((cause: unknown) => {
    throw new WorkFolderError(
      path,
      "a link on the way leads nowhere: remove it or point it into the work folder",
      cause,
    );
  });
  const absolute = join(real, ...missing);
  const inside = relative(root, absolute);
  if (inside === "" || inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside)) {
    throw new WorkFolderError(path, "leads outside the work folder: expected a path that stays inside it");
  }
  return absolute;
}

/**
 * Opens a regular file of the work folder for reading; `null` without a file. Close the returned handle. Never waits
 * for a pipe, and never follows a link that appears meanwhile.
 *
 * @param path from the work folder, with `/` between its parts.
 * @throws WorkFolderError if it is outside, no regular file or cannot be opened
 */
export async function openInside(workDir: string, path: string): Promise<FileHandle | null> {
  return openRegular(await resolveInside(workDir, path), path);
}

/**
 * Reads the text of a file in the work folder; `null` without a file.
 *
 * @throws WorkFolderError if it is outside, no regular file, above {@link maxFileBytes} or not UTF-8
 */
export async function readInside(workDir: string, path: string): Promise<string | null> {
  return readRegular(await resolveInside(workDir, path), path);
}

/** Reads the text of a file by its real path. */
export async function readRegular(absolute: string, path: string): Promise<string | null> {
  const handle = await openRegular(absolute, path);
  if (handle === null) return null;
  try {
    const { size } = await handle.stat();
    if (size > maxFileBytes) throw tooLarge(path, size);
    const bytes = await readAtMost(handle, maxFileBytes + 1);
    if (bytes.length > maxFileBytes) throw tooLarge(path, bytes.length);
    return decode(bytes, path);
  } finally {
    await handle.close();
  }
}

/** True if an open file is the file at its real path. */
export async function isAt(handle: FileHandle, absolute: string): Promise<boolean> {
  // Linux knows the path of an open file. Elsewhere the path is asked for its file.
  const known = await readlink(`/proc/self/fd/${handle.fd}`).catch(() => undefined);
  if (known !== undefined) return known === absolute;
  if ((await realpath(absolute).catch(() => undefined)) !== absolute) return false;
  const [opened, there] = await Promise.all([handle.stat(), lstat(absolute).catch(() => undefined)]);
  return opened.ino === there?.ino && opened.dev === there.dev;
}

// Windows has neither.
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;

async function openRegular(absolute: string, path: string): Promise<FileHandle | null> {
  const handle = await open(absolute, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(
    (cause: NodeJS.ErrnoException) => {
      if (cause.code === "ENOENT" || cause.code === "ENOTDIR") return null;
      if (cause.code === "ELOOP") throw moved(path);
      // A socket cannot be opened at all.
      if (cause.code === "ENXIO") throw notRegular(path);
      throw new WorkFolderError(path, `cannot be read (${cause.code}): check the permissions`, cause);
    },
  );
  if (handle === null) return null;
  try {
    if (!(await handle.stat()).isFile()) throw notRegular(path);
    if (!(await isAt(handle, absolute))) throw moved(path);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function readAtMost(handle: FileHandle, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(bytes, filled, length - filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

function decode(bytes: Buffer, path: string): string {
  const problem = "expected a readable text file in UTF-8";
  if (bytes.includes(0)) throw new WorkFolderError(path, problem);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new WorkFolderError(path, problem, cause);
  }
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT" || error.code === "ENOTDIR") return false;
      throw error;
    },
  );
}

/** Makes the error for a path that the system refuses to look at. */
const unreachable =
  (path: string) =>
  (cause: NodeJS.ErrnoException): never => {
    throw new WorkFolderError(
      path,
      cause.code === "ENAMETOOLONG"
        ? "a name in it, or the whole of it, is longer than the system takes (255 bytes a name on most): expected a shorter one"
        : `cannot be reached (${cause.code}): check the path and the permissions`,
      cause,
    );
  };

const tooLarge = (path: string, size: number) =>
  new WorkFolderError(path, `expected at most ${maxFileBytes} bytes, found ${size}`);

const notRegular = (path: string) =>
  new WorkFolderError(path, "expected a regular file, found a folder or a device");

const moved = (path: string) =>
  new WorkFolderError(path, "came to lead elsewhere while it was opened: nothing was read, try again");
