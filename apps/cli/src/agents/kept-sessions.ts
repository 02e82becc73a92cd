import { latestSession, sessionFolder, shareFolder } from "@askwire/server";
import { usageFailure } from "../input/failure.js";

/** Which session of a folder goes on. */
export interface SessionOptions {
  /** The id of a session, new or kept. */
  readonly session?: string;
  /** The last one of the folder. */
  readonly continue?: boolean;
}

/** Where the command's sessions are kept, and which one it opens. */
export interface KeptSessions {
  readonly place: { readonly share: string; readonly workDir: string };
  /** Undefined: a new one. */
  readonly sessionId: string | undefined;
}

/** @throws Failure for an id that is no name, for both options at once, and for `--continue` where there is nothing. */
export function keptSessions(
  options: SessionOptions,
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
    throw usageFailure(`--continue: no session of ${workDir} is kept: leave it out to begin one`);
  return { place, sessionId };
}
