import { type ChildProcess, spawn } from "node:child_process";

/**
 * Asks a process and all that it started to end; what has not after `graceMs` is killed, then `killed` is called.
 *
 * @returns what calls the killing off.
 */
export function endProcessGroup(child: ChildProcess, graceMs: number, killed: () => void): () => void {
  signalGroup(child, "SIGTERM");
  const timer = setTimeout(() => {
    signalGroup(child, "SIGKILL");
    killed();
  }, graceMs);
  // It need not keep us: at our exit what is left is killed anyway.
  timer.unref();
  return () => clearTimeout(timer);
}

/** Kills a process group if ours ends first, which nothing else would tell it of. Returns what undoes that. */
export function killAtExit(child: ChildProcess): () => void {
  const kill = () => signalGroup(child, "SIGKILL");
  // One listener for each command that runs is no leak.
  process.setMaxListeners(process.getMaxListeners() + 1);
  process.once("exit", kill);
  let isUndone = false;
  return () => {
    if (isUndone) return;
    isUndone = true;
    process.off("exit", kill);
    process.setMaxListeners(process.getMaxListeners() - 1);
  };
}

/** Whether anything of a process group that it leads is left. */
export function isGroupAlive(child: ChildProcess): boolean {
  return process.platform !== "win32" && signalGroup(child, 0);
}

/** False if there is nobody to signal. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  if (child.pid === undefined) return false;
  if (process.platform === "win32") {
    spawn("taskkill", ["/pid", String(child.pid), "/T", "/F"], { stdio: "ignore" }).on("error", () => {});
    return true;
  }
  try {
    return process.kill(-child.pid, signal);
  } catch {
    return false;
  }
}
