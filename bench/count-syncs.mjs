import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

let count = 0;

/** Loaded before the packages, so that these find the counting function. @type {typeof fs.fdatasync} */
const counted = Object.assign(
  /** @type {(fd: number, done: (error: NodeJS.ErrnoException | null) => void) => void} */
  (fd, done) => {
    count += 1;
    fdatasync(fd, done);
  },
  fs.fdatasync,
);
const { fdatasync } = fs;
fs.fdatasync = counted;
syncBuiltinESMExports();

/** The syncs of file contents by this process so far. */
export const syncs = () => count;
