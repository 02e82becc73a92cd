import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import ts from "typescript";

/** The functions that run under a title. */
const titled = new Set(["test", "it", "describe"]);
/** The members that name a test without running it. */
const unrun = new Set(["skip", "todo", "fails"]);

/** The titles of the tests that a source runs, also of `test.each` and `describe`, as written. */
export function titlesIn(source: string): string[] {
  const titles: string[] = [];
  const file = ts.createSourceFile("a.test.ts", source, ts.ScriptTarget.Latest);
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isUnrun(node.expression)) return;
    if (ts.isCallExpression(node) && runs(node.expression)) titles.push(...textOf(node.arguments[0], file));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return titles;
}

/** `test`, `test.each(…)`, `test.runIf(…)` and the like. */
function runs(callee: ts.Expression): boolean {
  if (ts.isIdentifier(callee)) return titled.has(callee.text);
  if (ts.isPropertyAccessExpression(callee)) return !unrun.has(callee.name.text) && runs(callee.expression);
  if (ts.isCallExpression(callee)) return runs(callee.expression);
  return ts.isTaggedTemplateExpression(callee) && runs(callee.tag);
}

/** `describe.skip`, `test.skip.each(…)` and the like, whose contents do not run. */
function isUnrun(callee: ts.Expression): boolean {
  if (ts.isPropertyAccessExpression(callee)) {
    return (unrun.has(callee.name.text) && runs(callee.expression)) || isUnrun(callee.expression);
  }
  if (ts.isCallExpression(callee)) return isUnrun(callee.expression);
  return ts.isTaggedTemplateExpression(callee) && isUnrun(callee.tag);
}

/** The text of a title. The table of `test.each` has none. */
function textOf(title: ts.Expression | undefined, file: ts.SourceFile): string[] {
  if (title === undefined) return [];
  if (ts.isStringLiteralLike(title)) return [title.text];
  return ts.isTemplateExpression(title) ? [title.getText(file).slice(1, -1)] : [];
}

/** The ids in the brackets at the end of a title, such as `P-QST-1` or `P-QST-1 to P-QST-3`. Empty for other words. */
export function idsOf(title: string): string[] {
  const [, inside = ""] = /\(([^()]*)\)\s*$/.exec(title) ?? [];
  const parts = inside.split(/, | to /);
  return parts.every((part) => /^[A-Z][A-Z-]*\d+$|§/.test(part)) ? parts : [];
}

/**
 * Finds test files in the `test` folders below some folders of a root. Each path from the root has its tests' titles.
 */
export function testFiles(root: string, folders: readonly string[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  const walk = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (!["node_modules", "dist"].includes(entry.name)) walk(path);
      } else if (entry.name.endsWith(".ts") && path.split(sep).includes("test")) {
        found.set(relative(root, path), new Set(titlesIn(readFileSync(path, "utf8"))));
      }
    }
  };
  for (const folder of folders) walk(join(root, folder));
  return found;
}
