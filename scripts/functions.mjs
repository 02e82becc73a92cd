// Finds functions that are too long, and those that hide their state: a function has at most 100 lines, and at most
// three variables that functions within it share and that change.
//   node scripts/functions.mjs [folder...]
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { lineOf, parsed, report, sourcesIn } from "./sources.mjs";

const MOST_LINES = 100;
const MOST_SHARED = 3;

/** @type {(name: string, text: string) => string[]} what is wrong with the functions of a source */
export function functionFaults(name, text) {
  const source = parsed(name, text);
  const faults = [];
  const visit = (node) => {
    if (ts.isFunctionLike(node) && node.body) faults.push(...faultsOf(source, node));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return faults;
}

function faultsOf(source, node) {
  const first = lineOf(source, node);
  const where = `${source.fileName}:${first}: ${nameOf(node)}`;
  const lines = source.getLineAndCharacterOfPosition(node.end).line + 2 - first;
  const shared = sharedOf(node);
  return [
    ...(lines > MOST_LINES ? [`${where} has ${lines} lines, the most are ${MOST_LINES}`] : []),
    ...(shared.length > MOST_SHARED
      ? [`${where} hides ${shared.length} variables (${shared.join(", ")}), the most are ${MOST_SHARED}`]
      : []),
  ];
}

const nameOf = (node) => {
  const name = node.name ?? (ts.isVariableDeclaration(node.parent) ? node.parent.name : undefined);
  return name === undefined ? "a function without a name" : name.getText();
};

/** @type {(node: ts.FunctionLikeDeclaration) => string[]} the `let` variables of a function that the functions within it read or set */
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

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const given = process.argv.slice(2);
  const folders = given.length > 0 ? given : ["packages", "apps", "scripts", "bench", "examples"];
  const faults = sourcesIn(folders, "code").flatMap(({ name, text }) => functionFaults(name, text));
  report(faults, "A longer one is a class, or values with names; state that is shared is one of its fields.");
}
