import { join } from "node:path";
import type { LocalError } from "@askwire/protocol";
import type { ObservedCommit } from "../measures/observer.js";
import type { Clock } from "../runtime/clock.js";
import type { Log } from "../runtime/log.js";
import { Appender } from "./appender.js";
import { type Disk, openIfThere } from "./disk.js";
import { headerLine, openingLine, refuseLater } from "./entries.js";
import type { KeptLines, OpenedLines } from "./kept-lines.js";
import { type Left, readLeft } from "./left.js";
import { type LinePart, readLines } from "./lines.js";
import { takeLock } from "./lock.js";
import { makeFolder } from "./make-folder.js";
import { refuseMoved } from "./moved-mark.js";
import { keepOpenFile } from "./open-file.js";
import { JOURNAL_FILE } from "./places.js";
import { removeUnfinished } from "./replaced-file.js";
import { skippedLines } from "./skipped-lines.js";

export interface DiskLinesOptions {
  /** The session's, as `sessionFolder` gives it. */
  readonly folder: string;
  /** The folders above it that an earlier process may have made and not synced. */
  readonly above: readonly string[];
  readonly disk: Disk;
  /** True if kept lines are synced. */
  readonly syncs: boolean;
  readonly log: Log;
  readonly clock: Clock;
  /** Told of each commit of lines. Default: nothing is measured. */
  readonly committed?: ((commit: ObservedCommit) => void) | undefined;
}

/**
 * Takes the folder of a session for this process, and opens the file of its lines there.
 *
 * @throws LocalError INVALID_STATE if a process has the session open, also this one (P-JRN-7), for a journal of a later
 * version (P-DUR-10), and for a session that was moved to a store.
 * @throws the system's error if the folder or file cannot be made or read.
 */
export function openDiskLines(options: DiskLinesOptions): OpenedLines {
  const { folder, above, disk, syncs, log, clock, committed } = options;
  const path = join(folder, JOURNAL_FILE);
  const folders = [...new Set([...makeFolder(disk, folder), ...above])];
  const release = takeLock(disk, folder);
  try {
    refuseMoved(disk, folder);
    leaveNothingBeside(path, log);
    const left = leftIn(disk, path, log);
    refuseLater(path, left.version);
    const listeners: ((why: LocalError) => void)[] = [];
    const appender = new Appender({
      disk,
      file: path,
      header: headerLine,
      opening: openingLine(clock, left.generation + 1),
      syncs,
      folders,
      committed,
      onLost(why) {
        for (const listener of listeners) listener(why);
      },
      log,
      clock,
    });
    const lines: KeptLines = {
      name: path,
      append: (line) => appender.append(line),
      appendNow: (...lines) => appender.appendNow(...lines),
      appendKept: (...lines) => appender.appendKept(...lines),
      synced: () => appender.synced(),
      onLost: (listener) => void listeners.push(listener),
      flush: () => appender.flush(),
      place: () => appender.place(),
      read: (part: LinePart) => readLines(path, { disk, ...part }),
      keepOpen: (read) => keepOpenFile({ journal: path, clock }, read),
      close() {
        appender.close();
        leaveFolder({ disk, folder, release, log });
      },
    };
    return { lines, left };
  } catch (error) {
    release();
    throw error;
  }
}

/** Removes a journal that was to replace this one when its process was killed: it has words that are to be forgotten. */
function leaveNothingBeside(path: string, log: Log): void {
  try {
    removeUnfinished(path);
  } catch (error) {
    log.error({ file: path, error: String(error) }, "an unfinished copy of it cannot be removed");
  }
}

function leftIn(disk: Disk, path: string, log: Log): Left {
  const skipped = skippedLines(path, log);
  const file = openIfThere(disk, path);
  try {
    return readLeft(file ?? { size: () => 0, readSync: () => 0 }, skipped.add);
  } finally {
    file?.close();
    skipped.tell();
  }
}

/** Gives up the lock. Removes a folder in which nothing was written. */
function leaveFolder({
  disk,
  folder,
  release,
  log,
}: Pick<DiskLinesOptions, "disk" | "folder" | "log"> & { readonly release: () => void }): void {
  try {
    release();
  } catch (error) {
    log.error({ folder, error: String(error) }, "the session cannot be given back");
  }
  try {
    disk.rmdir(folder);
  } catch {
    // The folder has contents.
  }
}
