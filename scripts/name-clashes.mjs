// Finds exported names that several files declare: each name means one thing in the whole house.
//   node scripts/name-clashes.mjs
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const root = fileURLToPath(new URL("..", import.meta.url));
const skipped = new Set(["node_modules", "dist", "out", "test"]);

/** @returns {string[]} the sources below a folder */
function sourcesIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return skipped.has(entry.name) ? [] : sourcesIn(path);
    return /\.tsx?$/.test(entry.name) && !entry.name.endsWith(".d.ts") ? [path] : [];
  });
}

/** @returns {Set<string>} the names that a source declares and exports */
function exportsOf(path) {
  const source = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, false);
  const isExported = (statement) =>
    statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
  return new Set(
    source.statements.filter(isExported).flatMap((statement) => {
      if (!ts.isVariableStatement(statement))
        return statement.name === undefined ? [] : [statement.name.text];
      return statement.declarationList.declarations.flatMap(({ name }) =>
        ts.isIdentifier(name) ? [name.text] : [],
      );
    }),
  );
}

const places = new Map();
for (const folder of ["packages", "apps"]) {
  for (const path of sourcesIn(join(root, folder))) {
    for (const name of exportsOf(path)) {
      places.set(name, [...(places.get(name) ?? []), relative(root, path)]);
    }
  }
}
const clashes = [...places].filter(([, files]) => files.length > 1).sort(([a], [b]) => (a < b ? -1 : 1));
for (const [name, files] of clashes) process.stdout.write(`${name}: ${files.join(", ")}\n`);
if (clashes.length > 0) process.exitCode = 1;
