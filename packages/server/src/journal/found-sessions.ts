import { existsSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { defined } from "@askwire/protocol/internal";
import { LOCK_FILE } from "@askwire/protocol/node";
import { nodeDisk } from "./disk.js";
import { HISTORY_FILE } from "./disk-history.js";
import { titleIn } from "./first-prompt.js";
import { leftOpen } from "./left-open.js";
import { lockHolder } from "./lock.js";
import { OPEN_FILE, readOpenFile } from "./open-file.js";
import type { ListedOpenRequest } from "./open-requests.js";
import { JOURNAL_FILE, namesIn, sessionPlaces } from "./places.js";
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

/** The place of a kept session in a list by the time of its last record. */
export type FoundPosition = Pick<FoundSession, "activeAt" | "id">;

/** The bytes at the beginning of a journal in which its title is looked for. */
const HEAD_BYTES = 16 * 1024;

/**
 * The kept sessions of one work directory, or of all, in no order where none is wanted. Reads small files and the ends of
 * journals, never whole ones, so that ten thousand sessions take about a second; of sessions that are not taken, nothing.
 *
 * @throws the system's error if a folder cannot be read.
 */
export function* foundSessions(place: {
  readonly share: string;
  /** Default: all. */
  readonly workDir?: string;
  /** Gives only sessions in which something may be open. Default: false. */
  readonly unfinished?: boolean;
  /** The last active come first, and of equals the one with the smaller id. Default: false. */
  readonly newestFirst?: boolean;
  /** Gives only sessions behind this place, the last active first. Default: all. */
  readonly after?: FoundPosition | undefined;
}): Generator<FoundSession> {
  const { share, workDir, unfinished = false, after, newestFirst = after !== undefined } = place;
  const places = sessionPlaces({ share, workDir });
  for (const { id, folder, workDir } of newestFirst ? byLastRecord(places, after) : places) {
    if (unfinished && !mayBeOpen(folder)) continue;
    const found = foundSession(id, folder);
    if (found !== undefined) yield workDir === undefined ? found : { ...found, workDir };
  }
}

/** Reports if something may be open in a session, by the files in its folder. */
export const mayBeOpen = (folder: string): boolean =>
  [OPEN_FILE, LOCK_FILE].some((name) => existsSync(join(folder, name)));

/** Sessions by the time of their last record, the newest first; with `after`, those behind that place. */
function byLastRecord<Place extends { readonly id: string; readonly folder: string }>(
  places: Iterable<Place>,
  after: FoundPosition | undefined,
): Place[] {
  return [...places]
    .flatMap((one) => {
      const activeAt = fileAt(join(one.folder, JOURNAL_FILE))?.mtimeMs;
      return activeAt === undefined ? [] : [{ ...one, activeAt }];
    })
    .filter((one) => after === undefined || byNewest(after, one) < 0)
    .sort(byNewest);
}

const byNewest = (left: FoundPosition, right: FoundPosition) =>
  right.activeAt - left.activeAt || (left.id < right.id ? -1 : left.id > right.id ? 1 : 0);

/** A kept session by its folder; undefined where nothing is kept. */
export function foundSession(id: string, folder: string): FoundSession | undefined {
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
    const title = titleIn(line);
    if (title !== undefined) return title;
  }
  return undefined;
}
