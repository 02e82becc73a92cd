import { readFileSync } from "node:fs";
import type { Disk } from "../packages/server/src/journal/disk.js";

/** A disk that knows how much of its files is safe from a power cut. */
export interface WatchedDisk {
  readonly disk: Disk;
  /** The text of a file. */
  readonly written: (path: string) => string;
  /** The text of a file as far as it is safe. */
  readonly safe: (path: string) => string;
}

/** Watches the syncs of a disk of this machine. The contents of a file that is opened count as safe. */
export function watchedDisk(disk: Disk): WatchedDisk {
  const lengths = new Map<string, number>();
  const bytes = (path: string) => (disk.stat(path) === undefined ? Buffer.alloc(0) : readFileSync(path));
  return {
    disk: {
      ...disk,
      open(path, mode) {
        const file = disk.open(path, mode);
        if (mode !== "read") lengths.set(path, file.size());
        return {
          ...file,
          async sync() {
            const length = file.size();
            await file.sync();
            lengths.set(path, length);
          },
        };
      },
    },
    written: (path) => bytes(path).toString("utf8"),
    safe: (path) => bytes(path).toString("utf8", 0, lengths.get(path) ?? 0),
  };
}
