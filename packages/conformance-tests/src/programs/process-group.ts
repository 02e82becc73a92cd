import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";

/** The end of a process. */
export interface Exit {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Why it could not be started. */
  readonly error?: string;
}

/** A running program, with all its children. */
export interface ProcessGroup {
  readonly child: ChildProcessWithoutNullStreams;
  /** Resolves once it has ended and its output has been read. */
  readonly ended: Promise<Exit>;
  /** Ends all of it at once. Resolves with how it ended, also where something that left the group holds its output. */
  destroy(): Promise<Exit>;
}

/** The wait for the last output of a killed program, in milliseconds. */
const KILLED_MS = 2_000;

// Elsewhere a signal to a negative process id has no meaning.
const hasGroups = process.platform !== "win32";

/** Starts a program without a shell, in a process group of its own. A wrapper's children then end with it. */
export function startGroup(
  command: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv },
): ProcessGroup {
  const [file = "", ...args] = command;
  const child = spawn(file, args, { ...options, detached: hasGroups, windowsHide: true });
  // A program that ends without reading closes the pipe.
  child.stdin.on("error", () => {});
  const ended = new Promise<Exit>((resolve) => {
    child.on("error", ({ message }) => resolve({ status: null, signal: null, error: message }));
    child.on("close", (status, signal) => resolve({ status, signal }));
  });
  return {
    child,
    ended,
    async destroy() {
      endAll(child);
      const output = [child.stdout, child.stderr];
      for (const stream of output) stream.resume();
      const timer = setTimeout(() => {
        for (const stream of output) stream.destroy();
      }, KILLED_MS);
      return ended.finally(() => clearTimeout(timer));
    },
  };
}

/**
 * Kills every process that has a variable of this name and value in its environment, also in a session of its own.
 * Linux alone shows the environment of other processes; elsewhere nothing is done.
 *
 * @param mark as `NAME=value`.
 */
export async function endMarked(mark: string): Promise<void> {
  if (process.platform !== "linux") return;
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const left = await Promise.all(pids.map(async (pid) => (await hasMark(pid, mark)) && Number(pid)));
  for (const pid of left) {
    try {
      if (pid !== false) process.kill(pid, "SIGKILL");
    } catch {
      // The process has ended.
    }
  }
}

async function hasMark(pid: string, mark: string): Promise<boolean> {
  try {
    const environment = await readFile(`/proc/${pid}/environ`, "utf8");
    return environment.split("\0").includes(mark);
  } catch {
    // The process has ended, or belongs to somebody else.
    return false;
  }
}

/** An exit in words. */
export function exitInWords({ status, signal, error }: Exit): string {
  if (error !== undefined) return `a command that could not be started: ${error}`;
  return `the end of the process (${signal ?? `exit status ${status}`})`;
}

function endAll(child: ChildProcessWithoutNullStreams): void {
  if (child.pid === undefined) return;
  try {
    if (hasGroups) process.kill(-child.pid, "SIGKILL");
    else
      spawn("taskkill", ["/pid", String(child.pid), "/t", "/f"], { windowsHide: true }).on("error", () =>
        child.kill("SIGKILL"),
      );
  } catch {
    // The process has ended.
  }
}
