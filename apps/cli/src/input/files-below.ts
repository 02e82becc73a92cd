import type { Dirent } from "node:fs";
import { opendir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** The most paths that are read, and the most entries of one folder. */
const MOST_PATHS = 5_000;
const MOST_ENTRIES = 1_000;
/** The most bytes of a `.gitignore` that are read. */
const MOST_IGNORED = 64 * 1024;
/** Folders that hold what others made. Folders whose names begin with a dot are left out too. */
const MADE = ["node_modules", "__pycache__", "vendor", "venv"];

/**
 * The paths below a folder, nearest first, folders with a `/` at their end: at most 5,000, and 1,000 of one folder.
 * Left out are folders of version control and of installed packages, plain names in the folder's own `.gitignore`, and
 * names with control characters. A folder that cannot be read is as an empty one.
 */
export async function filesBelow(folder: string): Promise<readonly string[]> {
  const ignored = new Set([...MADE, ...(await ignoredIn(folder))]);
  const paths: string[] = [];
  const folders = [""];
  for (let at = 0; at < folders.length && paths.length < MOST_PATHS; at += 1) {
    const parent = folders[at] as string;
    for (const entry of await entriesOf(join(folder, parent))) {
      const isFolder = entry.isDirectory();
      if (ignored.has(entry.name) || (isFolder && entry.name.startsWith("."))) continue;
      const path = `${parent}${entry.name}${isFolder ? "/" : ""}`;
      paths.push(path);
      if (isFolder) folders.push(path);
    }
  }
  return paths.slice(0, MOST_PATHS);
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  const entries: Dirent[] = [];
  try {
    for await (const entry of await opendir(folder)) {
      if (/\p{Cc}/u.test(entry.name)) continue;
      if (entries.push(entry) >= MOST_ENTRIES) break;
    }
  } catch {
    return entries;
  }
  return entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** The names that a `.gitignore` leaves out at any depth. Its patterns are not read. */
async function ignoredIn(folder: string): Promise<readonly string[]> {
  const text = await readFile(join(folder, ".gitignore"), "utf8").catch(() => "");
  const lines = text.slice(0, MOST_IGNORED).split("\n");
  return lines.flatMap((line) => /^\/?([^#!*?[\\/\s][^*?[\\/]*?)\/?\s*$/.exec(line)?.[1] ?? []);
}
