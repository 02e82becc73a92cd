import {
  closeSync,
  constants,
  fdatasync,
  fstatSync,
  fsync,
  ftruncateSync,
  linkSync,
  mkdirSync,
  openSync,
  read,
  readFileSync,
  readSync,
  renameSync,
  rmdirSync,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { promisify } from "node:util";

/** The ways to open a file: to read it, to read it and add to its end, or to make it where there is none. */
export type OpenMode = "read" | "append" | "new";

/** A file that is open. Its methods throw the system's errors. */
export interface DiskFile {
  /** The length in bytes at this moment, also if another process has changed it. */
  size(): number;
  /** Adds bytes at the end by one system call. Returns the number of bytes that were written. */
  write(bytes: Uint8Array): number;
  /** Reads from a place in the file. Returns the number of bytes, 0 at the end. */
  readSync(into: Uint8Array, at: number): number;
  /** Reads as {@link DiskFile.readSync} does, in parallel to other work. */
  read(into: Uint8Array, at: number): Promise<number>;
  /** Cuts the file to a length. */
  truncate(length: number): void;
  /** Resolves once all that was written before is safe from a power cut. */
  sync(): Promise<void>;
  /** Closes the file. Nothing else may be under way. */
  close(): void;
}

/**
 * The disk below kept sessions, so that tests can let each call fail. Methods throw the system's errors, whose `code`
 * is `ENOENT`, `EEXIST` and so on.
 */
export interface Disk {
  /** Opens a file. `append` and `new` make it with mode 0600; `new` throws `EEXIST` for a name that is taken. */
  open(file: string, mode: OpenMode): DiskFile;
  /** The length of a file, or of a folder's own entry; undefined for a name that is free. */
  stat(path: string): { readonly size: number } | undefined;
  /** Gives a file another name, in place of a file that has this name. */
  rename(from: string, to: string): void;
  /** Gives a file a second name. Throws `EEXIST` for a name that is taken. */
  link(file: string, name: string): void;
  /** Removes a name of a file. */
  unlink(file: string): void;
  /** Makes a folder with mode 0700 in a folder that is there. Throws `EEXIST` for a name that is taken. */
  mkdir(folder: string): void;
  /** Removes an empty folder. */
  rmdir(folder: string): void;
  /** Resolves once the names in a folder are safe from a power cut. */
  syncFolder(folder: string): Promise<void>;
}

const flags: Readonly<Record<OpenMode, number>> = {
  read: constants.O_RDONLY,
  append: constants.O_RDWR | constants.O_CREAT | constants.O_APPEND,
  new: constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | constants.O_APPEND,
};

/** The flags by which a pipe is not waited for, and a link is not followed. Windows has neither. */
const { O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;

/**
 * Opens a plain file, which it makes with mode 0600 where the flags say so. A link is followed only to read.
 *
 * @throws the system's error, and one that says so for a pipe, a socket, a device, or a link that would be written
 * through: they would hang, have no end, or lead elsewhere.
 */
export function openPlainFile(path: string, flags: number): number {
  const links = flags === constants.O_RDONLY ? 0 : O_NOFOLLOW;
  let fd: number;
  try {
    fd = openSync(path, flags | O_NONBLOCK | links, 0o600);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    throw ["ELOOP", "EMLINK", "ENXIO"].includes(code) ? notPlain(path) : error;
  }
  if (fstatSync(fd).isFile()) return fd;
  closeSync(fd);
  throw notPlain(path);
}

const notPlain = (path: string) =>
  new Error(`${path} is no plain file but a link, a pipe, a socket, a device or a folder: move it away`);

/** Reads a plain text file whole. Throws as {@link openPlainFile} does. */
export function readPlainFile(path: string): string {
  const fd = openPlainFile(path, constants.O_RDONLY);
  try {
    return readFileSync(fd, "utf8");
  } finally {
    closeSync(fd);
  }
}

const readLater = promisify(read);
const syncData = promisify(fdatasync);
const syncAll = promisify(fsync);

/** The files of this machine. */
export const nodeDisk: Disk = {
  open: (file, mode) => nodeFile(openPlainFile(file, flags[mode])),
  stat: (path) => statSync(path, { throwIfNoEntry: false }),
  rename: renameSync,
  link: linkSync,
  unlink: unlinkSync,
  mkdir: (folder) => mkdirSync(folder, { mode: 0o700 }),
  rmdir: rmdirSync,
  async syncFolder(folder) {
    let fd: number | undefined;
    try {
      fd = openSync(folder, constants.O_RDONLY);
      await syncAll(fd);
    } catch (error) {
      if (!hasNoFolderSync(error)) throw error;
    } finally {
      if (fd !== undefined) closeSync(fd);
    }
  },
};

const nodeFile = (fd: number): DiskFile => ({
  size: () => fstatSync(fd).size,
  write: (bytes) => writeSync(fd, bytes),
  readSync: (into, at) => readSync(fd, into, 0, into.length, at),
  read: async (into, at) => (await readLater(fd, into, 0, into.length, at)).bytesRead,
  truncate: (length) => ftruncateSync(fd, length),
  sync: () => syncData(fd),
  close: () => closeSync(fd),
});

/** Some systems open no folder, or none of other users, and some file systems sync none: these keep names unasked. */
const hasNoFolderSync = (error: unknown) =>
  ["EINVAL", "ENOTSUP", "EISDIR", "EPERM", "EACCES", "EROFS", "EBADF"].includes(
    (error as NodeJS.ErrnoException).code ?? "",
  );

/** Writes all of the bytes at the end of a file, in as many calls as the system wants. */
export function writeAll(file: Pick<DiskFile, "write">, bytes: Uint8Array): void {
  for (let rest = bytes; rest.length > 0; ) {
    const count = file.write(rest);
    if (count === 0) throw new Error("nothing was written");
    rest = rest.subarray(count);
  }
}

/** The text of a small file; undefined without one. */
export function readText(disk: Disk, path: string): string | undefined {
  const file = openIfThere(disk, path);
  if (file === undefined) return undefined;
  try {
    const bytes = Buffer.alloc(file.size());
    let length = 0;
    for (let count = -1; count !== 0 && length < bytes.length; length += count) {
      count = file.readSync(bytes.subarray(length), length);
    }
    return bytes.toString("utf8", 0, length);
  } finally {
    file.close();
  }
}

/** Opens a file for reading; undefined without one. */
export function openIfThere(disk: Disk, file: string): DiskFile | undefined {
  try {
    return disk.open(file, "read");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

/** True for an error of the system with this code. */
export const hasCode = (error: unknown, code: string): boolean =>
  (error as NodeJS.ErrnoException).code === code;
