import { existsSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { defined } from "@askwire/protocol/internal";
import { LOCK_FILE } from "@askwire/protocol/node";
import { shortLine } from "../runtime/short-line.js";
import { nodeDisk } from "./disk.js";
import { promptLine } from "./first-prompt.js";
import { HISTORY_FILE } from "./history.js";
import { leftOpen } from "./left-open.js";
import { lockHolder } from "./lock.js";
import { OPEN_FILE, readOpenFile } from "./open-file.js";
import type { ListedOpenRequest } from "./open-requests.js";
import { JOURNAL_FILE, namesIn, sessionsFolder, workFolders } from "./places.js";
import { rawRecord } from "./raw-record.js";
import { readPart } from "./read-part.js";

/**
 * The state of a kept session: a process has it, its last process closed it, or its last process ended without closing
 * it.
 */
export type FoundState = "in_use" | "closed" | "cut_off";

/** A kept session as a list shows it. */
export interface FoundSession {
  readonly id: string;
  /** The folder of its files. */
  readonly folder: string;
  /** The work directory; undefined where nobody noted it. */
  readonly workDir?: string;
  readonly state: FoundState;
  /** The process that has it open. */
  readonly pid?: number;
  /** The first line of its first prompt. */
  readonly title?: string;
  /** The time of the last record, in milliseconds since 1970. */
  readonly activeAt: number;
  /** The size of its records. */
  readonly bytes: number;
  /** The turn that is not over, of a session in which something is open. */
  readonly turnId?: string;
  /** The name that the server gave its agent, of a session in which something is open. */
  readonly agent?: string;
  /** The open questions and approvals, oldest first. */
  readonly open: readonly ListedOpenRequest[];
}

/** The bytes at the beginning of a journal in which its title is looked for. */
const HEAD_BYTES = 16 * 1024;
const beginnings = new Set(["TurnBegin"]);
/** UTF-16 units of a title, at most. */
const MAX_TITLE = 120;

/**
 * The kept sessions of one work directory, or of all, in no order. Reads small files and the ends of journals, never
 * whole ones, so that ten thousand sessions take about a second.
 *
 * @throws the system's error if a folder cannot be read.
 */
export function* foundSessions(place: {
  readonly share: string;
  /** Default: all. */
  readonly workDir?: string;
  /** Gives only sessions in which something may be open. Default: false. */
  readonly unfinished?: boolean;
}): Generator<FoundSession> {
  const { share, workDir, unfinished = false } = place;
  const all =
    workDir === undefined ? workFolders(share) : [{ folder: sessionsFolder({ share, workDir }), workDir }];
  for (const { folder, workDir } of all) {
    for (const id of namesIn(folder)) {
      if (unfinished && ![OPEN_FILE, LOCK_FILE].some((name) => existsSync(join(folder, id, name)))) continue;
      const found = foundSession(id, join(folder, id));
      if (found !== undefined) yield workDir === undefined ? found : { ...found, workDir };
    }
  }
}

function foundSession(id: string, folder: string): FoundSession | undefined {
  const journal = join(folder, JOURNAL_FILE);
  const file = fileAt(journal);
  if (file === undefined || file.size === 0) return undefined;
  // A file that is not there is not looked for: an error costs more than all else here.
  const names = namesIn(folder);
  const holder = names.includes(LOCK_FILE) ? lockHolder(nodeDisk, folder) : undefined;
  const state = holder === undefined ? "closed" : holder.lives ? "in_use" : "cut_off";
  const noted = names.includes(OPEN_FILE) ? readOpenFile(folder) : undefined;
  const { turn_id, agent, open } = (state === "cut_off" ? leftOpen(journal, noted) : noted) ?? { open: [] };
  const title = titleOf(journal);
  return {
    id,
    folder,
    state,
    ...(state === "in_use" && holder?.pid !== undefined && { pid: holder.pid }),
    ...defined({ title }),
    activeAt: file.mtimeMs,
    bytes: file.size + (fileAt(join(folder, HISTORY_FILE))?.size ?? 0),
    ...defined({ turnId: turn_id, agent }),
    open,
  };
}

function fileAt(path: string): Stats | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found?.isFile() === true ? found : undefined;
  } catch {
    // A part of the path is no folder, or may not be read.
    return undefined;
  }
}

function titleOf(journal: string): string | undefined {
  for (const line of readPart(journal, { bytes: HEAD_BYTES, from: "start" }).split("\n").slice(0, -1)) {
    const prompt = promptLine(rawRecord(line, beginnings)?.payload?.user_input);
    if (prompt !== undefined) return shortLine(prompt, MAX_TITLE) || undefined;
  }
  return undefined;
}
