import { closeSync, fsyncSync, openSync, renameSync, rmSync, statSync, utimesSync, writeSync } from "node:fs";
import { join } from "node:path";
import { LocalError } from "@askwire/protocol";
import { jsonText } from "@askwire/protocol/internal";
import { nodeDisk, openIfThere } from "./disk.js";
import { refuseLater } from "./entries.js";
import { forgottenLine, maySettle } from "./forgotten-settlement.js";
import { type FoundSession, foundSession } from "./found-sessions.js";
import { readLeft } from "./left.js";
import { linesIn, type ReadableFile } from "./lines.js";
import { takeLock } from "./lock.js";
import { syncFolderOf } from "./moved-mark.js";
import { OPEN_FILE } from "./open-file.js";
import { unfinishedOf } from "./open-requests.js";
import { JOURNAL_FILE } from "./places.js";

/** A line in a file, by the places of its first byte and of the byte behind its last one, and the text in its place. */
interface ReplacedLine {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  readonly requestId: string;
}

/** Bytes that are copied at once. */
const AT_ONCE = 1024 * 1024;
const LINE_FEED = 0x0a;

/**
 * Counts the answers of one person in the journal of a kept session.
 *
 * @param who the id or the name of a person by the word of the server's door.
 * @throws the system's error if the journal cannot be read.
 */
export function answersOf(folder: string, who: string): number {
  const file = openIfThere(nodeDisk, join(folder, JOURNAL_FILE));
  if (file === undefined) return 0;
  try {
    return linesOf(file, who).length;
  } finally {
    file.close();
  }
}

/**
 * Takes the name and the words of one person out of the settlements of a session that no process has, and leaves their
 * digests. The new journal replaces the old one once it is safe on the disk: a crash leaves one of them, whole.
 *
 * @param who the id or the name of a person by the word of the server's door.
 * @returns the number of settlements that were changed.
 * @throws LocalError INVALID_STATE while a process has the session open (P-JRN-7), while its last turn is not over, which
 *   needs the answers, and for records of a later version.
 * @throws the system's error if the journal cannot be read or written; then it is as before.
 */
export function forgetPerson(session: Pick<FoundSession, "id" | "folder">, who: string): number {
  const { id, folder } = session;
  // The lock of a dead process says that the list of what is open must be completed, and is about to go.
  const found = foundSession(id, folder);
  const release = takeLock(nodeDisk, folder);
  try {
    const count = rewritten(folder, who);
    if (found?.state === "cut_off") writeOpenList(folder, found);
    return count;
  } finally {
    release();
  }
}

function rewritten(folder: string, who: string): number {
  const path = join(folder, JOURNAL_FILE);
  const file = openIfThere(nodeDisk, path);
  if (file === undefined) return 0;
  try {
    const lines = linesOf(file, who);
    if (lines.length === 0) return 0;
    const { version, turns } = readLeft(file);
    refuseLater(path, version);
    const needed = new Set(turns.turn?.requests.map(({ opened }) => opened.request_id));
    if (lines.some(({ requestId }) => needed.has(requestId)))
      throw new LocalError(
        "INVALID_STATE",
        `${folder}: its last turn is not over, and needs the answers: open the session and let the turn end, or remove the session`,
      );
    writeBeside(path, file, lines);
    renameSync(`${path}.next`, path);
    syncFolderOf(folder);
    return lines.length;
  } finally {
    file.close();
  }
}

function linesOf(file: ReadableFile, who: string): ReplacedLine[] {
  const replaced: ReplacedLine[] = [];
  for (const { at, text } of linesIn(file, { wants: maySettle })) {
    const without = text === undefined ? undefined : forgottenLine(text, who);
    if (without !== undefined) replaced.push({ from: at, to: endOfLine(file, at), ...without });
  }
  return replaced;
}

/** The place of the line feed that ends a line, or of the end of the file. */
function endOfLine(file: ReadableFile, from: number): number {
  const room = Buffer.alloc(4096);
  for (let at = from; ; ) {
    const count = file.readSync(room, at);
    const found = room.subarray(0, count).indexOf(LINE_FEED);
    if (found >= 0) return at + found;
    at += count;
    if (count === 0) return at;
  }
}

/** Writes the file anew beside its place, safe on the disk, with the time of its last record. */
function writeBeside(path: string, file: ReadableFile, lines: readonly ReplacedLine[]): void {
  const { mtimeMs } = statSync(path);
  const next = `${path}.next`;
  rmSync(next, { force: true });
  const fd = openSync(next, "wx", 0o600);
  try {
    let at = 0;
    for (const { from, to, text } of lines) {
      copy(file, fd, at, from);
      writeAllTo(fd, Buffer.from(text));
      at = to;
    }
    copy(file, fd, at, file.size());
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  utimesSync(next, mtimeMs / 1000, mtimeMs / 1000);
}

function copy(file: ReadableFile, fd: number, from: number, to: number): void {
  for (let at = from; at < to; ) {
    const room = Buffer.alloc(Math.min(AT_ONCE, to - at));
    const count = file.readSync(room, at);
    if (count === 0) throw new Error("it is shorter than it was");
    writeAllTo(fd, room.subarray(0, count));
    at += count;
  }
}

function writeAllTo(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
}

function writeOpenList(folder: string, found: FoundSession): void {
  const path = join(folder, OPEN_FILE);
  const open = unfinishedOf(found);
  if (open === null) return rmSync(path, { force: true });
  const fd = openSync(`${path}.next`, "w", 0o600);
  try {
    writeAllTo(fd, Buffer.from(jsonText(open)));
  } finally {
    closeSync(fd);
  }
  renameSync(`${path}.next`, path);
}
