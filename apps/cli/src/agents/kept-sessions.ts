import { latestSession, sessionFolder, shareFolder } from "@askwire/server";
import { usageFailure } from "../input/failure.js";

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
  const { session, continue: last = false } = options;
  if (last && session !== undefined) throw usageFailure("--session and --continue: leave one out");
  if (session !== undefined) {
    try {
      sessionFolder({ ...place, id: session });
    } catch (error) {
      throw usageFailure(`--${(error as Error).message}`);
    }
    return { place, sessionId: session };
  }
  if (!last) return { place, sessionId: undefined };
  const sessionId = latestSession(place);
  if (sessionId === undefined)
    throw usageFailure(`--continue: no session of ${workDir} is stored: leave it out to start one`);
  return { place, sessionId };
}
