import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** The time for the list of processes, in milliseconds. */
const LIST_MS = 5_000;

/**
 * True if a run of Claude Code asks by the permission tool of `askwire mcp`: it calls the hook for the same call, and a
 * person would be asked twice. Nothing else than its command line says so. False where that cannot be read.
 *
 * @param pid the process of Claude Code.
 */
export async function asksByTool(pid: number | undefined): Promise<boolean> {
  if (pid === undefined) return false;
  try {
    const asked = ["-ww", "-o", "args=", "-p", String(pid)];
    const { stdout } = await promisify(execFile)("ps", asked, { timeout: LIST_MS });
    return /--permission-prompt-tool[= ]mcp__askwire__approve\b/.test(stdout);
  } catch {
    return false;
  }
}
