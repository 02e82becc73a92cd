import {
  closeSync,
  constants as files,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { endSignals } from "../input/end-signals.js";
import { CommandFailure, usageFailure } from "../input/failure.js";
import { nameProblem } from "../input/name-problem.js";

/**
 * Refuses an existing file, unless it may be replaced. Folders, devices and files being read are always refused.
 *
 * @throws Failure with the next step.
 */
export function refuseExisting(
  out: string,
  { force, reads }: { force: boolean; reads: readonly string[] },
): void {
  const there = found(out);
  if (there === undefined) return;
  if (there.isDirectory()) throw usageFailure(`--out ${out}: a folder; name a file`);
  if (!force) throw usageFailure(`--out ${out}: it exists; name another file, or add --force`);
  // The new file would replace the target itself: a device, for all programs.
  const meant = statSync(out, { throwIfNoEntry: false });
  if (meant !== undefined && !meant.isFile()) throw usageFailure(`--out ${out}: no file; name one`);
  if (there.isFile() && reads.some((file) => realpathSync(file) === realpathSync(out)))
    throw usageFailure(`--out ${out}: a journal that is read; name another file`);
}

/**
 * Writes lines to a temporary file, readable by its owner only, which is renamed once all lines are there.
 * A failure or a signal leaves nothing behind.
 *
 * @param lines made one at a time.
 * @throws Failure if the file cannot be written; the error of `lines`.
 */
export async function writeLines(out: string, lines: AsyncIterable<string>): Promise<void> {
  // Short: the file's own name may be as long as the system takes.
  const unfinished = join(dirname(out), `.askwire-${process.pid}.tmp`);
  const refused = (error: Error) => {
    throw new CommandFailure(`--out ${out}: ${error.message}`);
  };
  let made = false;
  const remove = () => {
    if (made) rmSync(unfinished, { force: true });
  };
  const end = (signal: (typeof endSignals)[number]) => {
    remove();
    process.exit(128 + constants.signals[signal]);
  };
  // Before the file exists: a signal right after its creation would leave it.
  for (const signal of endSignals) process.once(signal, end);
  try {
    create(out, unfinished);
    made = true;
    // Without creating the file, which a signal may have removed by now.
    const handle = await open(unfinished, files.O_WRONLY | files.O_APPEND);
    try {
      for await (const line of lines) await handle.appendFile(`${line}\n`).catch(refused);
    } finally {
      await handle.close();
    }
    renameSync(unfinished, out);
  } catch (error) {
    remove();
    throw error;
  } finally {
    for (const signal of endSignals) process.off(signal, end);
  }
}

/** Synchronous, so that no signal comes in between. */
function create(out: string, unfinished: string): void {
  try {
    closeSync(openSync(unfinished, "wx", 0o600));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw usageFailure(
      `--out ${out}: ${code === "ENOENT" ? "there is no such folder; make it first" : (nameProblem(error) ?? message)}`,
    );
  }
}

function found(out: string) {
  try {
    return lstatSync(out, { throwIfNoEntry: false });
  } catch (error) {
    throw usageFailure(`--out ${out}: ${nameProblem(error) ?? (error as Error).message}`);
  }
}
