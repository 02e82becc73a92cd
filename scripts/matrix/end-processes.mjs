import { execFileSync } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";

/** How long a process has to end by itself, in milliseconds. */
const GRACE = 10_000;

/** The ids of all processes that a process started, and of those that these started. */
function startedBy(/** @type {number} */ pid) {
  /** @type {Map<number, number[]>} */
  const children = new Map();
  for (const line of execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" }).split("\n")) {
    const [child = 0, parent = 0] = line.trim().split(/\s+/).map(Number);
    children.set(parent, [...(children.get(parent) ?? []), child]);
  }
  const found = [pid];
  for (const id of found) found.push(...(children.get(id) ?? []));
  return found;
}

/** Sends a signal. False for a process that is gone. */
function signal(/** @type {number} */ pid, /** @type {NodeJS.Signals | 0} */ name) {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

/**
 * Ends a process and all that it started: politely, and after ten seconds whatever is left.
 *
 * @param {{ pid?: number | undefined }} child
 */
export async function endProcesses({ pid }) {
  if (pid === undefined) return;
  const all = process.platform === "win32" ? [pid] : startedBy(pid);
  signal(pid, "SIGTERM");
  for (const end = Date.now() + GRACE; Date.now() < end; await delay(100)) {
    if (!all.some((id) => signal(id, 0))) return;
  }
  for (const id of all) signal(id, "SIGKILL");
}
