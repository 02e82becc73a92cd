import { realpath } from "node:fs/promises";
import { isAbsolute, relative, sep } from "node:path";
import { WorkFolderError } from "@askwire/agent/work-folder";
import { ToolError } from "@askwire/server";

/** A path by a model, made relative to the work directory. A path that leads outside stays unchanged. */
export async function fromWorkDir(workDir: string, path: string): Promise<string> {
  if (!isAbsolute(path) || path.split(/[/\\]/).includes("..")) return path;
  for (const root of [workDir, await realpath(workDir)]) {
    const inside = relative(root, path);
    if (inside !== "" && inside !== ".." && !inside.startsWith(`..${sep}`) && !isAbsolute(inside)) {
      return inside.split(sep).join("/");
    }
  }
  return path;
}

/** Runs work on a path or file, and tells the model about errors. */
export async function telling<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof WorkFolderError)) throw error;
    throw new ToolError({ message: `${error.message}.`, brief: error.message });
  }
}
