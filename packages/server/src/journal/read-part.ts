import { closeSync, constants, fstatSync, readSync } from "node:fs";
import { openPlainFile } from "./disk.js";

/** Reads the first or the last bytes of a file; a file that cannot be read has none. */
export function readPart(
  file: string,
  { bytes, from }: { readonly bytes: number; readonly from: "start" | "end" },
): string {
  try {
    const fd = openPlainFile(file, constants.O_RDONLY);
    try {
      const { size } = fstatSync(fd);
      const buffer = Buffer.allocUnsafe(Math.min(bytes, size));
      const read = readSync(fd, buffer, 0, buffer.length, from === "start" ? 0 : size - buffer.length);
      return buffer.toString("utf8", 0, read);
    } finally {
      closeSync(fd);
    }
  } catch {
    return "";
  }
}
