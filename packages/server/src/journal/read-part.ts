import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/** Reads the first or the last bytes of a file; a file that cannot be read has none. */
export function readPart(
  file: string,
  { bytes, from }: { readonly bytes: number; readonly from: "start" | "end" },
): string {
  try {
    const fd = openSync(file, "r");
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
