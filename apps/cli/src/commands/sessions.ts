import { visibleText } from "@askwire/client/text";
import { LocalError } from "@askwire/protocol";
import { removeSession } from "@askwire/server";
import type { PruneOptions, RemoveOptions, SessionListOptions } from "../command-line/sessions.js";
import { paintFor } from "../device/paint.js";
import { usageFailure } from "../input/failure.js";
import { counted, readAge, readSize, sizeText } from "../sessions/amounts.js";
import { keptSessionsAt, namedSessions } from "../sessions/found.js";
import { sessionJson, sessionLines } from "../sessions/lines.js";
import type { SessionShelf, ShownSession } from "../stored/session-shelf.js";
import type { StoreChoice } from "../stored/store-place.js";
import { tenantPlace } from "../stored/tenant-names.js";
import { canConfirm, confirmed } from "./confirmed.js";
import { printLines } from "./print-lines.js";

/** The kept sessions that a command line is about, until it has done its work with them. */
async function withShelf(
  options: Parameters<typeof keptSessionsAt>[0] & StoreChoice,
  work: (shelf: SessionShelf) => Promise<void>,
): Promise<void> {
  const inStore = tenantPlace(options);
  const shelf =
    inStore === undefined ? shelfOnDisk(options) : await (await inDatabase()).shelfInStore(inStore, options);
  try {
    await work(shelf);
  } finally {
    await shelf.close();
  }
}

/** Loaded where a database is asked for, and only there. */
const inDatabase = () => import("../stored/session-shelf.js");

function shelfOnDisk(options: Parameters<typeof keptSessionsAt>[0]): SessionShelf {
  const sessions = keptSessionsAt(options);
  const folders = new Map<ShownSession, string>(sessions.map((session) => [session, session.folder]));
  return {
    sessions,
    async remove(session) {
      removeSession(folders.get(session) ?? "");
    },
    async close() {},
  };
}

/** Lists kept sessions with what is open in them. */
export const listSessions = (options: SessionListOptions): Promise<void> =>
  withShelf(options, (shelf) => listShelf(shelf, options));

async function listShelf(shelf: SessionShelf, options: SessionListOptions): Promise<void> {
  const { all = false, waiting = false, json = false, workDir = process.cwd() } = options;
  const sessions = shelf.sessions.filter(({ open }) => !waiting || open.length > 0);
  if (json) return printLines(sessions.map(sessionJson));
  if (sessions.length === 0) {
    const what = `no session${waiting ? " waits" : " is kept"}`;
    return void process.stderr.write(
      visibleText(all ? `${what}\n` : `${what} for ${workDir}; --all looks everywhere\n`),
    );
  }
  const paint = paintFor(process.stdout, process.env);
  await printLines(sessionLines(sessions, { now: Date.now(), paint, folders: all }));
}

/** Removes sessions by their ids, once a person has confirmed it. */
export const removeSessions = (ids: readonly string[], options: RemoveOptions): Promise<void> =>
  withShelf(options, async (shelf) => {
    const sessions = namedSessions("sessions rm", ids, shelf.sessions);
    const used = sessions.find(({ state }) => state === "in_use");
    if (used !== undefined)
      throw usageFailure(
        `sessions rm ${used.id}: ${used.pid === undefined ? "a process" : `process ${used.pid}`} has it open: end that first`,
      );
    await removeConfirmed(shelf, sessions, options);
  });

/** Removes sessions that are old, large or both, once a person has confirmed it. None that a process has open. */
export async function pruneSessions(options: PruneOptions): Promise<void> {
  const { olderThan, largerThan, includeWaiting = false } = options;
  if ((olderThan ?? largerThan) === undefined)
    throw usageFailure("sessions prune: expected --older-than 30d, --larger-than 100MB, or both");
  const before = olderThan === undefined ? Number.POSITIVE_INFINITY : Date.now() - age(olderThan);
  const above = largerThan === undefined ? -1 : size(largerThan);
  if (largerThan !== undefined && tenantPlace(options) !== undefined)
    throw usageFailure("sessions prune: --larger-than is for sessions on the disk: use --older-than");
  await withShelf(options, async (shelf) => {
    const found = shelf.sessions.filter(
      ({ state, activeAt, bytes = 0 }) => state !== "in_use" && activeAt < before && bytes > above,
    );
    const sessions = found.filter(({ open }) => includeWaiting || open.length === 0);
    const left = found.length - sessions.length;
    const note =
      left === 0
        ? ""
        : `; ${counted(left, "session waits for a person and stays", "sessions wait for a person and stay")}`;
    if (sessions.length === 0) return void process.stderr.write(`nothing to remove${note}\n`);
    if (note !== "") process.stderr.write(`${note.slice(2)}\n`);
    await removeConfirmed(shelf, sessions, options);
  });
}

function age(text: string): number {
  const ms = readAge(text);
  if (ms !== undefined) return ms;
  throw usageFailure(`--older-than ${text}: expected a number with m, h, d or w, such as 30d`);
}

function size(text: string): number {
  const bytes = readSize(text);
  if (bytes !== undefined) return bytes;
  throw usageFailure(`--larger-than ${text}: expected a number with kB, MB or GB, such as 100MB`);
}

/** The most sessions that are shown before the question. */
const MOST_SHOWN = 20;

async function removeConfirmed(
  shelf: SessionShelf,
  sessions: readonly ShownSession[],
  { yes, all }: RemoveOptions,
): Promise<void> {
  if (!yes) {
    const shown = sessionLines(sessions.slice(0, MOST_SHOWN), {
      now: Date.now(),
      paint: paintFor(process.stderr, process.env),
      folders: all === true,
    });
    for (const line of shown) process.stderr.write(`${line}\n`);
    if (sessions.length > MOST_SHOWN) process.stderr.write(`and ${sessions.length - MOST_SHOWN} more\n`);
    const question = `Remove ${counted(sessions.length, "session")}${sizeOf(sessions)} for good?`;
    if (!canConfirm()) throw usageFailure(`sessions: ${question} There is no terminal to ask at: add --yes`);
    if (!(await confirmed(question))) return void process.stderr.write("nothing is removed\n");
  }
  let removed = 0;
  for (const session of sessions) {
    try {
      await shelf.remove(session);
      removed += 1;
    } catch (error) {
      // A process may have opened the session meanwhile.
      const why = error instanceof LocalError ? "a process has opened it" : (error as Error).message;
      process.stderr.write(visibleText(`askwire: sessions: ${session.id} is not removed: ${why}\n`));
      process.exitCode = 1;
    }
  }
  await printLines([`${counted(removed, "session")} removed`]);
}

/** The size of sessions in brackets; nothing where it is not known. */
function sizeOf(sessions: readonly ShownSession[]): string {
  const sizes = sessions.flatMap(({ bytes }) => bytes ?? []);
  return sizes.length === 0 ? "" : ` (${sizeText(sizes.reduce((sum, bytes) => sum + bytes, 0))})`;
}
