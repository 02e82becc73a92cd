import { lstatSync, realpathSync, renameSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { constants } from "node:os";
import { usageFailure } from "../failure.js";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Refuses a file that is there already, unless it may be replaced, and in any case a folder and a file that is read.
 *
 * @throws Failure with the next step.
 */
export function refuseExisting(
  out: string,
  { force, reads }: { force: boolean; reads: readonly string[] },
): void {
  const there = lstatSync(out, { throwIfNoEntry: false });
  if (there === undefined) return;
  if (there.isDirectory()) throw usageFailure(`--out ${out}: a folder; name a file`);
  if (!force) throw usageFailure(`--out ${out}: it exists; name another file, or add --force`);
  if (there.isFile() && reads.some((file) => realpathSync(file) === realpathSync(out)))
    throw usageFailure(`--out ${out}: a journal that is read; name another file`);
}

/**
 * Writes lines to a file beside another, which takes its name once all of them are there; readable for its owner only.
 * A failure and a signal leave nothing behind.
 *
 * @param lines made one at a time.
 * @throws Failure if it cannot be written; what `lines` throws.
 */
export async function writeLines(out: string, lines: AsyncIterable<string>): Promise<void> {
  const unfinished = `${out}.${process.pid}.tmp`;
  const handle = await open(unfinished, "wx", 0o600).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === "ENOENT" ? "there is no such folder; make it first" : error.message;
    throw usageFailure(`--out ${out}: ${why}`);
  });
  const remove = () => rmSync(unfinished, { force: true });
  const end = (signal: (typeof signals)[number]) => {
    remove();
    process.exit(128 + constants.signals[signal]);
  };
  for (const signal of signals) process.once(signal, end);
  try {
    try {
      for await (const line of lines) await handle.appendFile(`${line}\n`);
    } finally {
      await handle.close();
    }
    renameSync(unfinished, out);
  } catch (error) {
    remove();
    throw error;
  } finally {
    for (const signal of signals) process.off(signal, end);
  }
}
