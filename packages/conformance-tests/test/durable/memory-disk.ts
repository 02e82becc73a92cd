import { dirname } from "node:path";
import type { Disk, DiskFile, OpenMode } from "@askwire/server";

/** A file: its bytes, and those that are safe from a power cut. */
interface Inode {
  bytes: Buffer;
  safe: Buffer;
}

type Names = ReadonlyMap<string, Inode | "folder">;

/** The remains of a disk after a power cut. */
export interface PowerCut {
  /** The names that are left: those that were synced with their folders, or all. */
  readonly names: "synced" | "all";
  /** The remains of a file's bytes since its last sync. */
  readonly rest: (bytes: Buffer) => Buffer;
}

/** A disk in memory, which knows what a power cut leaves of it. */
export interface MemoryDisk {
  readonly disk: Disk;
  /** The paths of the files and folders, sorted. */
  readonly paths: readonly string[];
  /** The text of a file; empty without one. */
  text(path: string): string;
  /** The text of a file as far as it is safe from a power cut, under a name that is safe too. */
  safeText(path: string): string;
  /** Puts a text in place of a file's, safely. */
  put(path: string, text: string): void;
  /** The disk that a process finds which is started after `kill -9`. */
  afterKill(): MemoryDisk;
  /** The disk that a process finds after a power cut. */
  afterPowerCut(cut: PowerCut): MemoryDisk;
}

const none = Buffer.alloc(0);

/** Half of what was not synced. */
const half = (bytes: Buffer) => bytes.subarray(0, bytes.length / 2);

/** The losses by a power cut: what was not synced, in part or whole; its names; its bytes, but not their places. */
export const powerCuts: readonly PowerCut[] = [
  { names: "synced", rest: () => none },
  { names: "synced", rest: half },
  { names: "all", rest: () => none },
  { names: "all", rest: half },
  { names: "all", rest: (bytes) => Buffer.alloc(bytes.length) },
  {
    names: "all",
    rest: (bytes) => Buffer.concat([half(bytes), Buffer.alloc(bytes.length - half(bytes).length)]),
  },
];

/** The number of a process that there is none of: numbers of Linux end at 2 ** 22. */
const ENDED = 2 ** 30;

export function memoryDisk(names: Names = new Map(), safe: Names = names): MemoryDisk {
  const now = new Map(names);
  /** The names that are safe from a power cut, with their files. */
  const kept = new Map(safe);
  now.set("/", "folder");
  kept.set("/", "folder");

  function inode(path: string): Inode {
    const found = now.get(path);
    if (found === undefined) throw failure("ENOENT", path);
    if (found === "folder") throw failure("EISDIR", path);
    return found;
  }

  function refuseTaken(path: string): void {
    if (now.has(path)) throw failure("EEXIST", path);
    if (now.get(dirname(path)) !== "folder") throw failure("ENOENT", path);
  }

  function opened(path: string, mode: OpenMode): Inode {
    const isNew = mode === "new" || (mode === "append" && !now.has(path));
    if (!isNew) return inode(path);
    refuseTaken(path);
    const made = { bytes: none, safe: none };
    now.set(path, made);
    return made;
  }

  const disk: Disk = {
    open: (path, mode) => memoryFile(opened(path, mode)),
    stat(path) {
      const found = now.get(path);
      return found && { size: found === "folder" ? 0 : found.bytes.length };
    },
    rename(from, to) {
      now.set(to, inode(from));
      now.delete(from);
    },
    link(file, name) {
      const found = inode(file);
      refuseTaken(name);
      now.set(name, found);
    },
    unlink(file) {
      inode(file);
      now.delete(file);
    },
    mkdir(folder) {
      refuseTaken(folder);
      now.set(folder, "folder");
    },
    rmdir(folder) {
      if (namesIn(now, folder).length > 0) throw failure("ENOTEMPTY", folder);
      now.delete(folder);
    },
    async syncFolder(folder) {
      await later();
      for (const name of namesIn(kept, folder)) kept.delete(name);
      for (const name of namesIn(now, folder)) kept.set(name, now.get(name) as Inode);
    },
  };

  /** True for a name that is safe, in folders whose names are. */
  const isKept = (path: string): boolean => path === "/" || (kept.has(path) && isKept(dirname(path)));

  function after(left: Names, leftSafe: Names, bytesOf: (file: Inode) => Inode): MemoryDisk {
    const copies = new Map<Inode, Inode>();
    const copied = (names: Names): Names =>
      new Map(
        [...names].map(([path, file]): [string, Inode | "folder"] => {
          if (file === "folder") return [path, file];
          copies.set(file, copies.get(file) ?? bytesOf(file));
          return [path, copies.get(file) as Inode];
        }),
      );
    const found = memoryDisk(copied(left), copied(leftSafe));
    // Also the right to replace a lock is such a file.
    for (const path of found.paths.filter((path) => /\/lock(?:\.[^/]*)?$/.test(path))) {
      found.put(path, found.text(path).replace(/"pid":\d+/, `"pid":${ENDED}`));
    }
    return found;
  }

  return {
    disk,
    get paths() {
      return [...now.keys()].sort();
    },
    text: (path) => (now.has(path) ? inode(path).bytes.toString("utf8") : ""),
    safeText(path) {
      const file = isKept(path) ? kept.get(path) : undefined;
      return file === undefined || file === "folder" ? "" : file.safe.toString("utf8");
    },
    put(path, text) {
      const bytes = Buffer.from(text);
      now.set(path, { bytes, safe: bytes });
      kept.set(path, now.get(path) as Inode);
    },
    // Bytes that were not synced are still there, and still not safe.
    afterKill: () => after(now, kept, (file) => ({ ...file })),
    afterPowerCut({ names: which, rest }) {
      const left = which === "all" ? now : new Map([...kept].filter(([path]) => isKept(path)));
      return after(left, left, ({ bytes, safe }) => {
        const isLonger = bytes.subarray(0, safe.length).equals(safe);
        const found = isLonger ? Buffer.concat([safe, rest(bytes.subarray(safe.length))]) : safe;
        return { bytes: found, safe: found };
      });
    },
  };
}

function memoryFile(file: Inode): DiskFile {
  const readSync = (into: Uint8Array, at: number) => file.bytes.copy(into, 0, at, at + into.length);
  return {
    size: () => file.bytes.length,
    write(bytes) {
      file.bytes = Buffer.concat([file.bytes, bytes]);
      return bytes.length;
    },
    readSync,
    read: async (into, at) => readSync(into, at),
    truncate(length) {
      file.bytes = file.bytes.subarray(0, length);
    },
    async sync() {
      const { bytes } = file;
      await later();
      file.safe = bytes;
    },
    close() {},
  };
}

/** The time of a sync, in which what is written is not yet safe. */
const later = () => new Promise<void>((resolve) => setImmediate(resolve));

const namesIn = (names: Names, folder: string) =>
  [...names.keys()].filter((path) => path !== "/" && dirname(path) === folder);

/** An error of the system. */
export const failure = (code: string, path: string): Error =>
  Object.assign(new Error(`${code}: ${path}`), { code });
