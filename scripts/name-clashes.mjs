// Finds exported names that several files declare: each name means one thing in the whole house.
//   node scripts/name-clashes.mjs
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { parsed, report, sourcesIn } from "./sources.mjs";

/** @type {(name: string, text: string) => Set<string>} the names that a source declares and exports */
function exportsOf(name, text) {
  const source = parsed(name, text);
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

/** @type {(sources: readonly { name: string, text: string }[]) => [string, string[]][]} names, and who declares them */
export function clashingNames(sources) {
  const places = new Map();
  for (const { name, text } of sources) {
    for (const exported of exportsOf(name, text)) {
      places.set(exported, [...(places.get(exported) ?? []), name]);
    }
  }
  return [...places].filter(([, files]) => files.length > 1).sort(([a], [b]) => (a < b ? -1 : 1));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const isSource = ({ name }) => !name.endsWith(".mjs");
  const clashes = clashingNames(sourcesIn(["packages", "apps"], "code").filter(isSource));
  const lines = clashes.map(([name, files]) => `${name}: ${files.join(", ")}`);
  report(lines, `${lines.length} names mean several things.`);
}
