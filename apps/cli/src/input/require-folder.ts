import { existsSync, statSync } from "node:fs";
import { usageFailure } from "./failure.js";

/** @throws Failure if `--work-dir` names no folder. */
export function requireFolder(workDir: string): void {
  if (!existsSync(workDir) || !statSync(workDir).isDirectory())
    throw usageFailure(`--work-dir ${workDir}: no such folder`);
}
