import { statSync } from "node:fs";
import { usageFailure } from "./failure.js";
import { readOptionFile } from "./read-file.js";

/**
 * Reads a file with a secret. A file of root may be readable for its group: so do Kubernetes and systemd give secrets to
 * a service.
 *
 * @throws Failure for a file that others may read or change, and for one that cannot be read.
 */
export function readPrivateFile(option: string, file: string): string {
  const text = readOptionFile(option, file);
  const { mode: bits, uid } = statSync(file);
  const mode = bits & 0o777;
  const forOthers = uid === 0 ? 0o037 : 0o077;
  if (process.platform !== "win32" && (mode & forOthers) !== 0) {
    throw usageFailure(
      `${option} ${file}: others may read or change it (mode ${mode.toString(8).padStart(4, "0")}): chmod 600 ${file}`,
    );
  }
  return text;
}
