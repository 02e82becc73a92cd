// Finds functions that are too long, and those that hide their state: a function has at most 100 lines, and at most
// three variables that functions within it share and that change.
//   node scripts/functions.mjs [folder...]
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const MOST_LINES = 100;
const MOST_SHARED = 3;

const root = fileURLToPath(new URL("..", import.meta.url));
const skipped = new Set(["node_modules", "dist", "out", "test"]);

/** @returns {string[]} the sources below a folder */
function sourcesIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return skipped.has(entry.name) ? [] : sourcesIn(path);
    return /\.(ts|tsx|mjs)$/.test(entry.name) && !entry.name.endsWith(".d.ts") ? [path] : [];
  });
}

/** @returns {string[]} what is wrong with the functions of a source */
function faultsIn(path) {
  const source = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);
  const faults = [];
  const visit = (node) => {
    if (ts.isFunctionLike(node) && node.body) {
      const first = source.getLineAndCharacterOfPosition(node.getStart()).line;
      const lines = source.getLineAndCharacterOfPosition(node.end).line - first + 1;
      const where = `${relative(root, path)}:${first + 1}: ${nameOf(node)}`;
      if (lines > MOST_LINES) faults.push(`${where} has ${lines} lines, the most are ${MOST_LINES}`);
      const shared = sharedOf(node);
      if (shared.length > MOST_SHARED) {
        const names = shared.join(", ");
        faults.push(`${where} hides ${shared.length} variables (${names}), the most are ${MOST_SHARED}`);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return faults;
}

const nameOf = (node) => {
  const name = node.name ?? (ts.isVariableDeclaration(node.parent) ? node.parent.name : undefined);
  return name === undefined ? "a function without a name" : name.getText();
};

/** @returns {string[]} the `let` variables of a function that the functions within it read or set */
function sharedOf(node) {
  const own = [];
  const within = new Set();
  const collect = (child, isWithin) => {
    if (ts.isIdentifier(child) && isWithin) within.add(child.text);
    if (!isWithin && ts.isVariableDeclarationList(child) && child.flags & ts.NodeFlags.Let) {
      if (!ts.isForStatement(child.parent)) own.push(...child.declarations.map(({ name }) => name.getText()));
    }
    const enters = isWithin || ts.isFunctionLike(child) || ts.isClassLike(child);
    ts.forEachChild(child, (grandchild) => collect(grandchild, enters));
  };
  ts.forEachChild(node.body, (child) => collect(child, false));
  return own.filter((name) => within.has(name));
}

const folders = process.argv.slice(2);
const looked = folders.length > 0 ? folders : ["packages", "apps", "scripts", "bench", "examples"];
const faults = looked.flatMap((folder) => sourcesIn(join(root, folder)).flatMap(faultsIn));
if (faults.length > 0) {
  process.stdout.write(`${faults.join("\n")}\n`);
  process.stdout.write(
    "A longer one is a class, or values with names; state that is shared is one of its fields.\n",
  );
  process.exitCode = 1;
}
