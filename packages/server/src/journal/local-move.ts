import { existsSync, renameSync, rmSync, utimesSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { LocalError } from "@askwire/protocol";
import { jsonText } from "@askwire/protocol/internal";
import { nodeDisk, openIfThere } from "./disk.js";
import { HISTORY_FILE } from "./disk-history.js";
import { refuseLater } from "./entries.js";
import { foundSession } from "./found-sessions.js";
import { readLeft } from "./left.js";
import { readLines } from "./lines.js";
import { takeLock } from "./lock.js";
import { makeFolder } from "./make-folder.js";
import { syncFolderOf } from "./moved-mark.js";
import { OPEN_FILE } from "./open-file.js";
import { type UnfinishedSession, unfinishedOf } from "./open-requests.js";
import { JOURNAL_FILE } from "./places.js";

/** The files that a move takes along. Unsent answers of a terminal stay where that is. */
const movedFiles = [HISTORY_FILE, OPEN_FILE, JOURNAL_FILE] as const;
/** The end of the names of files that have come and are not in their place yet. */
const COMING = ".coming";

/** All of a session in its folder, for another place. */
export interface PackedSession {
  readonly title: string | undefined;
  /** The time of the last record, in milliseconds since 1970. */
  readonly activeAt: number;
  /** The generation of the last process that had it. */
  readonly generation: number;
  readonly open: UnfinishedSession | null;
  /** The lines of its journal. The iteration throws for a line that is too long to be read. */
  readonly lines: AsyncIterable<string>;
  /** The lines of the model's conversation. */
  readonly history: AsyncIterable<string>;
}

/** The folder of a session that this process has, as one that opens the session does. */
export interface LockedSession {
  /** True if something is kept there. */
  readonly isKept: boolean;
  /**
   * All that is kept.
   *
   * @throws LocalError INVALID_STATE where nothing is kept, and for records of a later version.
   */
  pack(): PackedSession;
  /** Writes all of a session beside its place, safe on the disk. */
  receive(
    session: Pick<PackedSession, "activeAt" | "open" | "lines"> & { readonly history: Iterable<string> },
  ): Promise<void>;
  /** Puts what was received into its place, as far as that is not done yet. */
  settle(): void;
  /** Removes what was kept. */
  clear(): void;
  release(): void;
}

/**
 * Takes the folder of a session, which is made where it is not there.
 *
 * @throws LocalError INVALID_STATE while a process has the session open (P-JRN-7).
 * @throws the system's error where the folder cannot be made or read.
 */
export function lockSession(id: string, folder: string): LockedSession {
  makeFolder(nodeDisk, folder);
  // The list of what is open is completed from the journal where no process closed it, which its lock says.
  const found = foundSession(id, folder);
  const release = takeLock(nodeDisk, folder);
  const isKept = existsSync(join(folder, JOURNAL_FILE));
  return {
    isKept,
    pack: () => packed(folder, found),
    async receive({ lines, history, open, activeAt }) {
      for (const name of movedFiles) rmSync(join(folder, name + COMING), { force: true });
      await writeLines(join(folder, HISTORY_FILE + COMING), history);
      if (open !== null) await writeLines(join(folder, OPEN_FILE + COMING), [jsonText(open)]);
      const journal = join(folder, JOURNAL_FILE + COMING);
      await writeLines(journal, lines);
      utimesSync(journal, activeAt / 1000, activeAt / 1000);
      syncFolderOf(folder);
    },
    settle() {
      for (const name of movedFiles)
        if (existsSync(join(folder, name + COMING)))
          renameSync(join(folder, name + COMING), join(folder, name));
      syncFolderOf(folder);
    },
    clear() {
      for (const name of movedFiles) {
        // The journal itself goes last: while any of its words are left, the session is still found.
        for (const end of [".next", COMING, ""]) rmSync(join(folder, name + end), { force: true });
      }
    },
    release() {
      release();
      try {
        nodeDisk.rmdir(folder);
      } catch {
        // The folder has contents.
      }
    },
  };
}

function packed(folder: string, found: ReturnType<typeof foundSession>): PackedSession {
  const journal = join(folder, JOURNAL_FILE);
  const file = openIfThere(nodeDisk, journal);
  if (found === undefined || file === undefined)
    throw new LocalError("INVALID_STATE", `${folder}: no session is kept there`);
  try {
    const { generation, version } = readLeft(file);
    refuseLater(journal, version);
    const { title, activeAt } = found;
    return {
      ...{ title, activeAt, generation },
      open: unfinishedOf(found),
      lines: wholeLines(journal),
      history: wholeLines(join(folder, HISTORY_FILE)),
    };
  } finally {
    file.close();
  }
}

async function* wholeLines(path: string): AsyncGenerator<string> {
  for await (const { number, text } of readLines(path)) {
    if (text === undefined)
      throw new LocalError("INVALID_STATE", `${path}:${number}: the line is too long to be moved`);
    yield text;
  }
}

/** Units of text that are written at once. */
const AT_ONCE = 256 * 1024;

/** Writes lines to a new file, which is safe on the disk once this resolves. */
async function writeLines(path: string, lines: AsyncIterable<string> | Iterable<string>): Promise<void> {
  const file: FileHandle = await open(path, "w", 0o600);
  try {
    let text = "";
    for await (const line of lines) {
      text += `${line}\n`;
      if (text.length < AT_ONCE) continue;
      await file.writeFile(text);
      text = "";
    }
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}
