import { type ChildProcess, spawn } from "node:child_process";

/**
 * Asks a process and all its children to end. After `graceMs` the rest is killed, then `killed` is called.
 *
 * @returns a function that calls the killing off.
 */
export function endProcessGroup(child: ChildProcess, graceMs: number, killed: () => void): () => void {
  signalGroup(child, "SIGTERM");
  const timer = setTimeout(() => {
    signalGroup(child, "SIGKILL");
    killed();
  }, graceMs);
  // The timer need not keep this process: at its exit the rest is killed anyway.
  timer.unref();
  return () => clearTimeout(timer);
}

/**
 * Kills a process group if our own process ends first, since nothing else would signal the group. Returns a function
 * that undoes that.
 */
export function killAtExit(child: ChildProcess): () => void {
  const kill = () => signalGroup(child, "SIGKILL");
  // A listener for each running command is no leak.
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

/** Reports if any process of the child's group is left. */
export function isGroupAlive(child: ChildProcess): boolean {
  return process.platform !== "win32" && signalGroup(child, 0);
}

/** Signals the group. False if there is no process left. */
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
