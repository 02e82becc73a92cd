import { statSync } from "node:fs";
import { usageFailure } from "./failure.js";
import { readOptionFile } from "./read-file.js";

/**
 * Reads a file with a secret.
 *
 * @throws Failure for a file that others may read or change, and for one that cannot be read.
 */
export function readPrivateFile(option: string, file: string): string {
  const text = readOptionFile(option, file);
  const mode = statSync(file).mode & 0o777;
  if (process.platform !== "win32" && (mode & 0o077) !== 0) {
    throw usageFailure(
      `${option} ${file}: others may read or change it (mode ${mode.toString(8).padStart(4, "0")}): chmod 600 ${file}`,
    );
  }
  return text;
}
