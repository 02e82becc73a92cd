import { join } from "node:path";
import { type OwnExecutable, ownExecutable } from "./own-executable.js";

/** Files that come with the command: their folder, or in a single executable their contents by path. */
export type ShippedFiles = string | ReadonlyMap<string, Uint8Array>;

/** The asset with the names of all others as a JSON list, since Node 20 lists none. */
const LIST = "files.json";

/**
 * The files of a folder that the build puts beside the bundle, and scripts/executable.mjs into the executable.
 *
 * @param beside the folder of the bundle. Default: that of this file.
 * @param executable Default: the executable that runs, if any.
 */
export function shippedFiles(
  folder: "web" | "templates",
  beside = __dirname,
  executable: OwnExecutable | undefined = ownExecutable(),
): ShippedFiles {
  if (executable === undefined) return join(beside, folder);
  const names = JSON.parse(executable.getAsset(LIST, "utf8")) as readonly string[];
  const start = `${folder}/`;
  return new Map(
    names
      .filter((name) => name.startsWith(start))
      .map((name) => [name.slice(start.length), new Uint8Array(executable.getAsset(name))]),
  );
}
