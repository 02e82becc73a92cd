// Finds exported names that several files declare: each name means one thing in the whole house, but for those of
// scripts/name-clashes.json, which have a reason.
//   node scripts/name-clashes.mjs
import { readFileSync } from "node:fs";
import { posix } from "node:path";
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

/** The files that others import whole: their names are only read as `file.name`. */
const importedWhole = (sources) =>
  new Set(
    sources.flatMap(({ name, text }) =>
      [...text.matchAll(/^import \* as \w+ from "(\..+)\.js";$/gm)].map(([, path]) =>
        posix.join(posix.dirname(name), `${path}.ts`),
      ),
    ),
  );

/** @type {(sources: readonly { name: string, text: string }[]) => [string, string[]][]} names, and who declares them */
export function clashingNames(sources) {
  const places = new Map();
  const whole = importedWhole(sources);
  for (const { name, text } of sources.filter((source) => !whole.has(source.name))) {
    for (const exported of exportsOf(name, text)) {
      places.set(exported, [...(places.get(exported) ?? []), name]);
    }
  }
  return [...places].filter(([, files]) => files.length > 1).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** The names that stand in several files for a reason, each with it. */
const known = new URL("name-clashes.json", import.meta.url);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const isSource = ({ name }) => !name.endsWith(".mjs");
  const clashes = clashingNames(sourcesIn(["packages", "apps"], "code").filter(isSource));
  const names = Object.keys(JSON.parse(readFileSync(known, "utf8")));
  const fresh = clashes.filter(([name]) => !names.includes(name));
  const gone = names.filter((name) => !clashes.some(([other]) => other === name));
  const lines = [
    ...fresh.map(([name, files]) => `${name}: ${files.join(", ")}`),
    ...gone.map((name) => `${name}: take it out of scripts/name-clashes.json, it means one thing now`),
  ];
  report(lines, "An exported name means one thing: give it another where it means a second.");
}
