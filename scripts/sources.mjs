// The sources of this repository, for the checks that read them.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

/** The folder of this repository. */
export const root = fileURLToPath(new URL("..", import.meta.url));
const skipped = new Set(["node_modules", "dist", "out"]);

/**
 * The sources below folders of this repository.
 *
 * @param {readonly string[]} folders
 * @param {"code" | "tests"} kind
 * @returns {{ name: string, text: string }[]} each with its path from the root, and its text
 */
export function sourcesIn(folders, kind) {
  const walk = (folder) =>
    readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return skipped.has(entry.name) ? [] : walk(path);
      const name = relative(root, path);
      const isWanted = name.split(sep).includes("test") === (kind === "tests");
      const isSource = /\.(ts|tsx|mjs)$/.test(entry.name) && !entry.name.endsWith(".d.ts");
      return isWanted && isSource ? [{ name, text: readFileSync(path, "utf8") }] : [];
    });
  return folders.flatMap((folder) => walk(join(root, folder)));
}

/** @type {(name: string, text: string) => ts.SourceFile} */
export const parsed = (name, text) => ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);

/** @type {(source: ts.SourceFile, node: ts.Node) => number} the line of a node, from 1 */
export const lineOf = (source, node) => source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;

/**
 * Prints what a check finds; the process then ends with 1.
 *
 * @type {(faults: readonly string[], rule: string) => void}
 */
export function report(faults, rule) {
  if (faults.length === 0) return;
  process.stdout.write(`${faults.join("\n")}\n${rule}\n`);
  process.exitCode = 1;
}
