import { linkSync, rmSync, writeFileSync } from "node:fs";

/**
 * Writes a file of this person alone, unless there is one already. Linked after writing, so that of two processes both
 * read the whole file of one.
 *
 * @throws the system's error if it cannot be written.
 */
export function writeOnce(file: string, content: string | Uint8Array): void {
  const written = `${file}.${process.pid}`;
  writeFileSync(written, content, { mode: 0o600 });
  try {
    linkSync(written, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(written, { force: true });
  }
}
