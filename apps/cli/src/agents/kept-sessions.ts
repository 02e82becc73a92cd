import { resolve } from "node:path";
import { latestSession, type SessionStore, sessionFolder, shareFolder } from "@askwire/server";
import { nodeDisk, refuseLocked } from "@askwire/server/internal";
import { CommandFailure, usageFailure } from "../input/failure.js";

/** The session of a folder to resume. */
export interface KeptSessionOptions {
  /** The id of a session, new or kept. */
  readonly session?: string;
  /** Resumes the last session of the folder. */
  readonly continue?: boolean;
}

/** The keeper of the command's sessions, and the session to open. */
export interface KeptSessions {
  readonly place: { readonly share: string; readonly workDir: string };
  /** The id of the session. Undefined for a new session. */
  readonly sessionId: string | undefined;
}

/**
 * Finds the session to resume, and the keeper.
 *
 * @throws Failure for an invalid id, for both options at once, and for `--continue` without a kept session.
 */
export function keptSessions(
  options: KeptSessionOptions,
  workDir: string,
  { kimi }: { readonly kimi: boolean },
): KeptSessions {
  const place = { share: shareFolder(process.env, { kimi }), workDir };
  const { isLast, id } = wantedSession(options, place);
  return { place, sessionId: isLast ? lastOf(latestSession(place), workDir, elsewhere) : id };
}

/**
 * Refuses a session that another process has, before an agent is started for it. A process that takes the session later
 * is found when it is opened.
 *
 * @throws LocalError INVALID_STATE that names the process.
 */
export function refuseUsedSession({ place, sessionId }: KeptSessions): void {
  if (sessionId !== undefined) refuseLocked(nodeDisk, sessionFolder({ ...place, id: sessionId }));
}

/** Refuses a session of a store that another process has, as {@link refuseUsedSession}. */
export async function refuseUsedRow({ store, sessionId }: StoredSessions): Promise<void> {
  const row = sessionId === undefined ? undefined : await store.find(sessionId);
  if (row?.state !== "in_use") return;
  throw new CommandFailure(
    `the session is in use by another process (${store.name}/${sessionId}): end that process or use another session`,
  );
}

/** The sessions of a folder in a store, and the one to open. */
export interface StoredSessions {
  readonly store: SessionStore;
  readonly workDir: string;
  /** The id of the session. Undefined for a new session. */
  readonly sessionId: string | undefined;
}

/**
 * Finds the session to resume in a store.
 *
 * @throws Failure as {@link keptSessions}, and the error of the store.
 */
export async function sessionsInStore(
  store: SessionStore,
  options: KeptSessionOptions,
  given: string,
): Promise<StoredSessions> {
  const workDir = resolve(given);
  const { isLast, id } = wantedSession(options, { share: "", workDir });
  if (!isLast) return { store, workDir, sessionId: id };
  const [last] = await store.list({ workDir, limit: 1 });
  return { store, workDir, sessionId: lastOf(last?.id, workDir) };
}

interface WantedSession {
  /** True for the last session of the folder. */
  readonly isLast: boolean;
  readonly id: string | undefined;
}

function wantedSession(
  { session: id, continue: isLast = false }: KeptSessionOptions,
  place: KeptSessions["place"],
): WantedSession {
  if (isLast && id !== undefined) throw usageFailure("--session and --continue: leave one out");
  try {
    if (id !== undefined) sessionFolder({ ...place, id });
  } catch (error) {
    throw usageFailure(`--${(error as Error).message}`);
  }
  return { isLast, id };
}

/** The next step for who misses a session of a database. */
const elsewhere =
  "; for one in a database, run askwire chat -- askwire serve --stdio --continue --store postgres://USER@HOST/DATABASE";

function lastOf(id: string | undefined, workDir: string, hint = ""): string {
  if (id !== undefined) return id;
  throw usageFailure(`--continue: no session of ${workDir} is stored: leave it out to start one${hint}`);
}
