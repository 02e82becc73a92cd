import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const read = (path: string) => readFileSync(join(root, path), "utf8");

/** The sources of all public faces of the packages, by the name that a program imports. */
const faces = new Map<string, string>(
  readdirSync(join(root, "packages")).flatMap((folder) => {
    if (!existsSync(join(root, "packages", folder, "package.json"))) return [];
    const { name, exports = {} } = JSON.parse(read(`packages/${folder}/package.json`));
    return Object.entries<string | { "@askwire/source"?: string }>(exports).flatMap(([path, face]) => {
      const source = typeof face === "object" && face["@askwire/source"];
      if (!source || path === "./internal") return [];
      return [[`${name}${path.slice(1)}`, join(root, "packages", folder, source)] as const];
    });
  }),
);

const program = ts.createProgram([...faces.values()], {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  customConditions: ["@askwire/source"],
  jsx: ts.JsxEmit.ReactJSX,
  noLib: true,
  types: [],
});
const checker = program.getTypeChecker();

/** The names that each face exports, with what they stand for. */
const exported = new Map(
  [...faces].map(([face, source]) => {
    const file = program.getSourceFile(source);
    const module = file && checker.getSymbolAtLocation(file);
    const symbols = module === undefined ? [] : checker.getExportsOfModule(module);
    return [face, new Map(symbols.map((symbol) => [symbol.name, symbol]))] as const;
  }),
);
const names = new Set([...exported.values()].flatMap((symbols) => [...symbols.keys()]));

const ours = program
  .getSourceFiles()
  .filter(
    ({ fileName }) => fileName.startsWith(join(root, "packages")) && !fileName.includes("node_modules"),
  );
const classes = new Set<string>(
  ours.flatMap(({ text }) => [...text.matchAll(/^(?:export )?class (\w+)/gm)].map(([, name = ""]) => name)),
);

const pages = ["README.md", ...readdirSync(join(root, "docs")).map((name) => `docs/${name}`)].filter((page) =>
  page.endsWith(".md"),
);

test("a public face of each package is found, and it exports something", () => {
  expect([...exported].filter(([, symbols]) => symbols.size === 0)).toEqual([]);
  expect(exported.get("@askwire/client/stdio")?.has("connectProcess")).toBe(true);
});

test("every name that a page of the docs imports from a package is exported there", () => {
  const imports = pages.flatMap((page) =>
    [...read(page).matchAll(/import (?:type )?\{([^}]*)\} from "(@askwire\/[^"]+)"/g)].flatMap(
      ([, list = "", face = ""]) =>
        list
          .split(",")
          .map((name) =>
            name
              .trim()
              .replace(/^type /, "")
              .replace(/ as .*/s, ""),
          )
          .filter((name) => name !== "")
          .map((name) => ({ page, face, name })),
    ),
  );
  expect(imports.length).toBeGreaterThan(30);
  expect(imports.filter(({ face, name }) => !exported.get(face)?.has(name))).toEqual([]);
});

test("every class of ours that a page of the docs names can be imported", () => {
  const named = pages.flatMap((page) =>
    [...read(page).matchAll(/`(?:new )?([A-Z]\w+)\b[^`]*`/g)].map(([, name = ""]) => ({ page, name })),
  );
  expect(named.some(({ name }) => classes.has(name))).toBe(true);
  expect(named.filter(({ name }) => classes.has(name) && !names.has(name))).toEqual([]);
});

/** The class names in the `@throws` of a public name and of its members. */
function thrownBy(symbol: ts.Symbol): string[] {
  const real = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const members = [...(real.members?.values() ?? [])];
  return [real, ...members]
    .flatMap((one) => one.declarations ?? [])
    .filter((declaration) => !declaration.getSourceFile().fileName.includes("node_modules"))
    .flatMap((declaration) => ts.getJSDocTags(declaration))
    .filter(({ tagName }) => tagName.text === "throws")
    .flatMap((tag) => tag.getText().match(/(?<=@throws )[A-Z]\w+/g) ?? []);
}

test("every error that the docstring of a public name speaks of can be imported, or is the language's", () => {
  const thrown = [...exported].flatMap(([face, symbols]) =>
    [...symbols].flatMap(([from, symbol]) => thrownBy(symbol).map((name) => ({ face, from, name }))),
  );
  expect(thrown.length).toBeGreaterThan(20);
  expect(thrown.filter(({ name }) => !names.has(name) && !(name in globalThis))).toEqual([]);
});
