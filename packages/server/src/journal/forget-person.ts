import { futimesSync, lstatSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { LocalError } from "@askwire/protocol";
import { jsonText } from "@askwire/protocol/internal";
import { nodeDisk, openIfThere, writeAll } from "./disk.js";
import { readRecord, refuseLater } from "./entries.js";
import { forgottenLine } from "./forgotten-settlement.js";
import { type FoundSession, foundSession } from "./found-sessions.js";
import { readLeft } from "./left.js";
import { linesIn, type ReadableFile } from "./lines.js";
import { takeLock } from "./lock.js";
import { refuseMoved, syncFolderOf } from "./moved-mark.js";
import { OPEN_FILE } from "./open-file.js";
import { unfinishedOf } from "./open-requests.js";
import { JOURNAL_FILE } from "./places.js";
import { beginsRecord, rawRecord } from "./raw-record.js";
import { hasUnfinished, removeUnfinished, replaceWhole, type WrittenFile } from "./replaced-file.js";

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

const opening = new Set(["SessionOpened"]);
const relevant = new Set([...opening, "InteractionSettled", "InteractionVoted"]);
const isRelevant = (beginning: string) => beginsRecord(beginning, relevant);

/** The answers of one person in a journal. */
export interface AnswersOfPerson {
  readonly count: number;
  /** The number of lines that cannot be read, and may be such answers. */
  readonly unread: number;
  /** True if a process was killed while it wrote the journal anew. */
  readonly isUnfinished: boolean;
}

/**
 * Counts the answers of one person in the journal of a kept session.
 *
 * @param who the id or the name of a person by the word of the server's door.
 * @throws LocalError INVALID_STATE for records of a later version, and, where there are answers, for a session that is
 *   elsewhere, or may be, and for a journal that is a link.
 * @throws the system's error if the journal cannot be read.
 */
export function answersOf(folder: string, who: string): AnswersOfPerson {
  const path = join(folder, JOURNAL_FILE);
  const isUnfinished = hasUnfinished(path);
  const file = openIfThere(nodeDisk, path);
  if (file === undefined) return { count: 0, unread: 0, isUnfinished };
  try {
    const { lines, unread } = linesOf(path, file, who);
    if (lines.length > 0) refuseElsewhere(folder);
    return { count: lines.length, unread, isUnfinished };
  } finally {
    file.close();
  }
}

/**
 * Takes the name and the words of one person out of the settlements of a session that no process has, and leaves their
 * digests. The new journal replaces the old one once it is safe on the disk: a crash leaves one of them, whole. Removes
 * what a process left that was killed meanwhile.
 *
 * @param who the id or the name of a person by the word of the server's door.
 * @returns the number of settlements that were changed.
 * @throws LocalError INVALID_STATE while a process has the session open (P-JRN-7), while its last turn is not over, which
 *   needs the answers, for a session that is elsewhere, or may be, for a journal that is a link, and for records of a
 *   later version.
 * @throws the system's error if the journal cannot be read or written; then it is as before.
 */
export function forgetPerson(session: Pick<FoundSession, "id" | "folder">, who: string): number {
  const { id, folder } = session;
  // The lock of a dead process says that the list of what is open must be completed, and is about to go.
  const found = foundSession(id, folder);
  const release = takeLock(nodeDisk, folder);
  // The lock stays where this throws: once this process has ended, the session is cut off as before.
  if (found?.state === "cut_off") writeOpenList(folder, found);
  try {
    refuseElsewhere(folder);
    removeUnfinished(join(folder, JOURNAL_FILE));
    return rewritten(folder, who);
  } finally {
    release();
  }
}

function rewritten(folder: string, who: string): number {
  const path = join(folder, JOURNAL_FILE);
  const file = openIfThere(nodeDisk, path);
  if (file === undefined) return 0;
  try {
    const { lines } = linesOf(path, file, who);
    if (lines.length === 0) return 0;
    refuseNeeded(folder, file, new Set(lines.map(({ requestId }) => requestId)));
    writeWithout(path, file, lines);
    syncFolderOf(folder);
    return lines.length;
  } finally {
    file.close();
  }
}

/** @throws LocalError INVALID_STATE where what is not over needs one of the answers. */
function refuseNeeded(folder: string, file: ReadableFile, answered: ReadonlySet<string>): void {
  const { turns, state } = readLeft(file);
  const refuse = (why: string): never => {
    throw new LocalError("INVALID_STATE", `${folder}: ${why}, or remove the session`);
  };
  if (turns.turn?.requests.some(({ opened }) => answered.has(opened.request_id)))
    refuse("its last turn is not over, and needs the answers: open the session and let the turn end");
  if (state.openAsks.some(({ asked }) => answered.has(asked.request_id)))
    refuse("others must still approve what they have approved: open the session and let them");
}

/** @throws LocalError INVALID_STATE where the words would stay at another place. */
function refuseElsewhere(folder: string): void {
  refuseMoved(nodeDisk, folder);
  const path = join(folder, JOURNAL_FILE);
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true)
    throw new LocalError(
      "INVALID_STATE",
      `${path} is a link, and the words would stay in the file that it leads to: put that file in its place`,
    );
}

/** False for a line that is neither blank nor a header nor a record. */
function isReadable(line: string): boolean {
  const record = line.trim() === "" ? undefined : readRecord(line);
  return record === undefined || !("problem" in record);
}

/** The settlements of a person without name and words, and the number of lines that may be some and cannot be read. */
function linesOf(
  path: string,
  file: ReadableFile,
  who: string,
): { readonly lines: readonly ReplacedLine[]; readonly unread: number } {
  const lines: ReplacedLine[] = [];
  let unread = 0;
  for (const { at, text } of linesIn(file, { wants: isRelevant })) {
    const version = rawRecord(text ?? "", opening)?.payload?.version;
    if (typeof version === "number") refuseLater(path, version);
    if (text === undefined || !isReadable(text)) {
      unread += 1;
      continue;
    }
    const without = forgottenLine(text, who);
    if (without !== undefined) lines.push({ from: at, to: endOfLine(file, at), ...without });
  }
  return { lines, unread };
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

/** Writes the file anew, with the time of its last record. */
function writeWithout(path: string, file: ReadableFile, lines: readonly ReplacedLine[]): void {
  const old = statSync(path);
  replaceWhole(path, old, (next, fd) => {
    let at = 0;
    for (const { from, to, text } of lines) {
      copy(file, next, at, from);
      writeAll(next, Buffer.from(text));
      at = to;
    }
    copy(file, next, at, file.size());
    futimesSync(fd, old.mtimeMs / 1000, old.mtimeMs / 1000);
  });
}

function copy(file: ReadableFile, next: WrittenFile, from: number, to: number): void {
  for (let at = from; at < to; ) {
    const room = Buffer.alloc(Math.min(AT_ONCE, to - at));
    const count = file.readSync(room, at);
    if (count === 0) throw new Error("it is shorter than it was");
    writeAll(next, room.subarray(0, count));
    at += count;
  }
}

function writeOpenList(folder: string, found: FoundSession): void {
  const path = join(folder, OPEN_FILE);
  const open = unfinishedOf(found);
  if (open === null) return rmSync(path, { force: true });
  const old = statSync(path, { throwIfNoEntry: false });
  const rights = old ?? { ...statSync(join(folder, JOURNAL_FILE)), mode: 0o600 };
  replaceWhole(path, rights, (next) => writeAll(next, Buffer.from(jsonText(open))));
}
