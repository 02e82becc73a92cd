import { type FoundSession, foundSessions, shareFolder } from "@askwire/server";
import { CommandFailure, usageFailure } from "../input/failure.js";

/** The kept sessions that a command line is about. */
export interface FoundPlace {
  /** Those of every work folder. */
  readonly all?: boolean;
  /** Default: the current folder. */
  readonly workDir?: string;
}

/**
 * The kept sessions of a folder, or all, the one that was active last first.
 *
 * @throws Failure for both options at once, and where they cannot be read.
 */
export function keptSessionsAt({ all = false, workDir }: FoundPlace): FoundSession[] {
  if (all && workDir !== undefined) throw usageFailure("sessions: --all and --work-dir: leave one out");
  const share = shareFolder(process.env, { kimi: false });
  try {
    const found = foundSessions(all ? { share } : { share, workDir: workDir ?? process.cwd() });
    return [...found].sort((a, b) => b.activeAt - a.activeAt || (a.id < b.id ? -1 : 1));
  } catch (error) {
    throw new CommandFailure(`sessions in ${share} cannot be read: ${(error as Error).message}`);
  }
}

/** The sessions of a work folder that wait for a person and that no process has, the one that was active last first. */
export function waitingSessions(place: { readonly share: string; readonly workDir: string }): FoundSession[] {
  const found = [...foundSessions({ ...place, unfinished: true })];
  return found
    .filter(({ state, open }) => state !== "in_use" && open.length > 0)
    .sort((a, b) => b.activeAt - a.activeAt);
}

/**
 * The sessions that ids name, each once: whole ids, or the first characters of only one.
 *
 * @param command the words before an id in a failure, such as `sessions rm`.
 * @throws Failure for an id of no session, and for the beginning of several.
 */
export function namedSessions<Named extends { readonly id: string }>(
  command: string,
  ids: readonly string[],
  sessions: readonly Named[],
): Named[] {
  const named = ids.map((id) => {
    const whole = sessions.filter((session) => session.id === id);
    const found = whole.length > 0 ? whole : sessions.filter((session) => id && session.id.startsWith(id));
    const [session, another] = found;
    if (session === undefined)
      throw usageFailure(
        `${command} ${id}: no session has this id: askwire sessions lists the sessions of a folder`,
      );
    if (another !== undefined)
      throw usageFailure(`${command} ${id}: ${found.length} sessions begin like this: give more of the id`);
    return session;
  });
  return [...new Set(named)];
}
