import { readFileSync } from "node:fs";

/** The name of the file by which a process has a folder (P-JRN-7). */
export const LOCK_FILE = "lock";

/** The process that has a lock. */
export interface LockHolder {
  /** Its number, where the lock names it. */
  readonly pid?: number;
  /** False if that process has ended. */
  readonly lives: boolean;
}

/** Reads who has a lock, from the text of its file (P-JRN-7). */
export function readLock(text: string): LockHolder {
  const { pid, started } = parsed(text);
  if (typeof pid !== "number") return { lives: false };
  return { pid, lives: isProcess(pid, started) };
}

function parsed(text: string): { pid?: unknown; started?: unknown } {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

function isProcess(pid: number, started: unknown): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
  }
  const { state, start } = lifeOf(pid);
  // The number of a process that has ended stays until its parent asks, which in a container may be never.
  if (state === "Z" || state === "X") return false;
  // A number is given to another process in time, which then started at another moment.
  return start === undefined || started === undefined || started === start;
}

/** The state of a process, and its start in the system's own unit; undefined if the system does not say. */
export function lifeOf(pid: number): {
  readonly state?: string | undefined;
  readonly start?: string | undefined;
} {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { state: fields[0], start: fields[19] };
  } catch {
    return {};
  }
}
