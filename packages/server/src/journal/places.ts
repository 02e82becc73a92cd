import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { homeFolder } from "@askwire/protocol/node";
import { readPlainFile } from "./disk.js";

/** The name of a session's records for Kimi's readers. */
export const JOURNAL_FILE = "wire.jsonl";

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** The folder of the paths of work directories. */
const PATHS = "folders";
const MAX_ID_BYTES = 200;

/**
 * Finds the folder of all sessions (P-JRN-1). Programs in Kimi's place look at `KIMI_SHARE_DIR` first. Then come
 * `ASKWIRE_HOME`, and `.askwire` in the home directory. An empty variable counts as not set.
 */
export function shareFolder(
  env: Readonly<Record<string, string | undefined>>,
  { kimi }: { readonly kimi: boolean },
): string {
  return kimi && env.KIMI_SHARE_DIR ? resolve(env.KIMI_SHARE_DIR) : homeFolder(env);
}

/**
 * Names the folder of a session (P-JRN-1). The work directory is made absolute. Links are not followed, as in Kimi: a
 * directory with two names has two sets of sessions.
 *
 * @throws TypeError if the id is no name for a folder.
 */
export function sessionFolder(place: {
  readonly share: string;
  readonly workDir: string;
  readonly id: string;
}): string {
  checkSessionId(place.id);
  return join(sessionsFolder(place), place.id);
}

/** True if records of a session are kept under the id. An id that is no name for a folder names none. */
export function isKeptSession(place: Parameters<typeof sessionFolder>[0]): boolean {
  try {
    return (statSync(join(sessionFolder(place), JOURNAL_FILE), { throwIfNoEntry: false })?.size ?? 0) > 0;
  } catch {
    return false;
  }
}

/**
 * Finds the last written session of a work directory (P-JRN-1); undefined without any. Like Kimi's SDK it sees only
 * sessions with a UUID as id and a journal that is not empty.
 */
export function latestSession(place: {
  readonly share: string;
  readonly workDir: string;
}): string | undefined {
  const folder = sessionsFolder(place);
  let latest: { id: string; at: number } | undefined;
  for (const id of namesIn(folder)) {
    const file = UUID.test(id)
      ? statSync(join(folder, id, JOURNAL_FILE), { throwIfNoEntry: false })
      : undefined;
    if (file === undefined || file.size === 0) continue;
    if (latest === undefined || file.mtimeMs > latest.at) latest = { id, at: file.mtimeMs };
  }
  return latest?.id;
}

/** The folders of the sessions of one work directory, or of all, each with the directory where that is known. */
export function* sessionPlaces({
  share,
  workDir,
}: {
  readonly share: string;
  readonly workDir?: string | undefined;
}) {
  const all =
    workDir === undefined ? workFolders(share) : [{ folder: sessionsFolder({ share, workDir }), workDir }];
  for (const { folder, workDir } of all)
    for (const id of namesIn(folder)) yield { id, folder: join(folder, id), workDir };
}

/** The folders of all work directories that have sessions, with the directory where that is known. */
export function workFolders(share: string): { readonly folder: string; readonly workDir?: string }[] {
  const all = join(share, "sessions");
  return namesIn(all).map((name) => {
    const workDir = readPath(join(share, PATHS, name));
    return { folder: join(all, name), ...(workDir !== undefined && { workDir }) };
  });
}

/** Notes the path of a work directory, which the name of its sessions' folder does not give (P-KPT-2). */
export function notePath({ share, workDir }: { readonly share: string; readonly workDir: string }): void {
  try {
    const file = join(share, PATHS, hashOf(workDir));
    if (existsSync(file)) return;
    mkdirSync(dirname(file), { mode: 0o700, recursive: true });
    writeFileSync(file, resolve(workDir), { mode: 0o600 });
  } catch {
    // The list of all sessions does without.
  }
}

function readPath(file: string): string | undefined {
  try {
    return readPlainFile(file);
  } catch {
    return undefined;
  }
}

/** The folder of the sessions of a work directory. */
export function sessionsFolder({
  share,
  workDir,
}: {
  readonly share: string;
  readonly workDir: string;
}): string {
  return join(share, "sessions", hashOf(workDir));
}

const hashOf = (workDir: string) => createHash("md5").update(resolve(workDir)).digest("hex");

/** The names in a folder; none where there is no folder of that name. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return [];
    throw error;
  }
}

function checkSessionId(id: string): void {
  const safe = !/[/\\\p{Cc}]/u.test(id) && ![".", "..", ""].includes(id);
  if (safe && Buffer.byteLength(id) <= MAX_ID_BYTES) return;
  const shown = JSON.stringify(id.slice(0, MAX_ID_BYTES));
  throw new TypeError(
    `session: ${shown} is no name for a folder: use 1 to ${MAX_ID_BYTES} bytes without path separators`,
  );
}
