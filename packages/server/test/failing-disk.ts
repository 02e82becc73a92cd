import { type Disk, type DiskFile, keepIn, type ServerOptions } from "../src/index.js";
import { nodeDisk } from "../src/journal/disk.js";
import { detailedLog, temporaryFolder } from "./journal-folder.js";

/** The calls of a disk that a test may change. */
export interface DiskCalls {
  /** Called with what is to be written, instead of the disk. Default: the disk writes. */
  write?: (file: string, text: string, write: (bytes: Uint8Array) => number) => number;
  /** Called instead of each sync of a file. Default: the disk syncs. */
  sync?: (file: string, sync: () => Promise<void>) => Promise<void>;
  /** Called instead of each sync of a folder. Default: the disk syncs. */
  syncFolder?: (folder: string) => Promise<void>;
  /** Called instead of each cut. Default: the disk cuts. */
  truncate?: (length: number) => void;
}

/** This machine's disk, with some calls changed. They may be changed at any time. */
export function diskWith(calls: DiskCalls): Disk {
  const wrapped = (name: string, file: DiskFile): DiskFile => ({
    ...file,
    write: (bytes) =>
      calls.write === undefined
        ? file.write(bytes)
        : calls.write(name, Buffer.from(bytes).toString(), (part) => file.write(part)),
    sync: () => (calls.sync === undefined ? file.sync() : calls.sync(name, () => file.sync())),
    truncate: (length) => (calls.truncate === undefined ? file.truncate(length) : calls.truncate(length)),
  });
  return {
    ...nodeDisk,
    open: (file, mode) => wrapped(file, nodeDisk.open(file, mode)),
    syncFolder: (folder) => (calls.syncFolder ?? nodeDisk.syncFolder)(folder),
  };
}

/** An error of the system. */
export const systemError = (code: string) => Object.assign(new Error(`${code}: said the disk`), { code });

/** A disk that has no room for lines with such a text. */
export function diskWithoutRoomFor(text: string, calls: DiskCalls = {}): Disk {
  return diskWith({
    ...calls,
    write(_file, written, write) {
      if (written.includes(text)) throw systemError("ENOSPC");
      return write(Buffer.from(written));
    },
  });
}

/** Keeps sessions in a new folder, on a disk. */
export const keepOn = (disk: Disk, more: object = {}): NonNullable<ServerOptions["keep"]> =>
  keepIn({ share: temporaryFolder(), workDir: "/work", log: detailedLog(), disk, ...more });
