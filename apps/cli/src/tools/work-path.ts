import { realpath } from "node:fs/promises";
import { isAbsolute, relative, sep } from "node:path";
import { ToolError } from "@askwire/server";
import { WorkFolderError } from "@askwire/server/work-folder";

/** A path as models write them, as one from the work directory; one that leads outside is left as it is. */
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

/** Lets the model read what is wrong with a path or file. */
export async function telling<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof WorkFolderError)) throw error;
    throw new ToolError({ message: `${error.message}.`, brief: error.message });
  }
}
