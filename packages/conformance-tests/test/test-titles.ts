import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import ts from "typescript";

/** What runs under a title. */
const titled = new Set(["test", "it", "describe"]);
/** What names a test and does not run it. */
const unrun = new Set(["skip", "todo", "fails"]);

/** The titles of the tests that a source runs, also of `test.each` and `describe`, as they are written. */
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

/** `describe.skip`, `test.skip.each(…)` and the like: what is inside does not run either. */
function isUnrun(callee: ts.Expression): boolean {
  if (ts.isPropertyAccessExpression(callee)) {
    return (unrun.has(callee.name.text) && runs(callee.expression)) || isUnrun(callee.expression);
  }
  if (ts.isCallExpression(callee)) return isUnrun(callee.expression);
  return ts.isTaggedTemplateExpression(callee) && isUnrun(callee.tag);
}

/** A text that is written out. The table of `test.each` is none. */
function textOf(title: ts.Expression | undefined, file: ts.SourceFile): string[] {
  if (title === undefined) return [];
  if (ts.isStringLiteralLike(title)) return [title.text];
  return ts.isTemplateExpression(title) ? [title.getText(file).slice(1, -1)] : [];
}

/** The ids of requirements in the brackets at the end of a title; `K-02 to K-04` names all between. */
export function idsOf(title: string): string[] {
  const [, inside = ""] = /\(([^()]*)\)\s*$/.exec(title) ?? [];
  return [...inside.matchAll(/(?<![\w-])([A-Z]-)(\d+)(?:\s+to\s+\1(\d+))?/g)].flatMap(
    ([, group = "", first = "", last = first]) =>
      Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => {
        const number = String(Number(first) + index);
        return `${group}${number.padStart(first.length, "0")}`;
      }),
  );
}

/** The files in the `test` folders below some folders of a root: their paths from it, and the ids that titles name. */
export function testFiles(root: string, folders: readonly string[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  const walk = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (!["node_modules", "dist"].includes(entry.name)) walk(path);
      } else if (entry.name.endsWith(".ts") && path.split(sep).includes("test")) {
        found.set(relative(root, path), new Set(titlesIn(readFileSync(path, "utf8")).flatMap(idsOf)));
      }
    }
  };
  for (const folder of folders) walk(join(root, folder));
  return found;
}
