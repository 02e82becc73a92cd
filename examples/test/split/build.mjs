// Builds a page in two parts, as frameworks with server components do: a server's, under the condition `react-server`, in
// which a module that begins with "use client" is a list of references to its exports, and a browser's with these modules.
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";

const common = /** @type {const} */ ({ bundle: true, format: "esm", jsx: "automatic", metafile: true });

/** The names that a module exports. @type {(path: string, project: string) => Promise<readonly string[]>} */
async function exportsOf(path, project) {
  const { metafile } = await build({
    ...common,
    ...{ absWorkingDir: project, entryPoints: [path], write: false, bundle: false, outdir: "/none" },
  });
  return Object.values(metafile.outputs)[0]?.exports ?? [];
}

/**
 * Builds the page of a project in both parts, and runs the server's.
 *
 * @param {string} project has `page.tsx`, `index.html`, and the packages.
 * @param {string} folder for the files of the browser.
 */
export async function buildSplit(project, folder) {
  /** @type {Map<string, readonly string[]>} */
  const boundaries = new Map();
  /** @type {import("esbuild").Plugin} */
  const references = {
    name: "references",
    setup({ onLoad }) {
      onLoad({ filter: /\.[jt]sx?$/ }, async ({ path }) => {
        if (!/^["']use client["']/.test(await readFile(path, "utf8"))) return;
        const names = await exportsOf(path, project);
        boundaries.set(path, names);
        const lines = names.map((name) => {
          const id = JSON.stringify(`${relative(project, path)}#${name}`);
          const made = `{ $$typeof: Symbol.for("react.client.reference"), $$id: ${id} }`;
          return name === "default" ? `export default ${made};` : `export const ${name} = ${made};`;
        });
        return { contents: lines.join("\n") };
      });
    },
  };
  await writeFile(join(project, "server.tsx"), serverEntry);
  const server = await build({
    ...common,
    ...{ absWorkingDir: project, entryPoints: ["server.tsx"], outfile: join(folder, "server.mjs") },
    ...{ platform: "node", conditions: ["react-server"], plugins: [references], treeShaking: false },
  });
  const { stdout: tree } = await promisify(execFile)(process.execPath, [join(folder, "server.mjs")]);

  const imports = [...boundaries.keys()].map(
    (path, at) =>
      `import * as m${at} from ${JSON.stringify(path)};\nadd(${JSON.stringify(relative(project, path))}, m${at});`,
  );
  await writeFile(join(project, "browser.tsx"), `${browserEntry(tree)}\n${imports.join("\n")}\nstart();\n`);
  await build({
    ...common,
    ...{ absWorkingDir: project, entryPoints: ["browser.tsx"], outfile: join(folder, "page.js") },
    define: { "process.env.NODE_ENV": '"production"' },
  });
  return {
    /** What the server's part prints: elements, with references for what runs in the browser. */
    tree,
    /** The modules that the server's part contains in whole. */
    loaded: Object.keys(server.metafile.inputs).filter((path) => !boundaries.has(join(project, path))),
    warnings: server.warnings.map(({ text }) => text),
  };
}

/** Renders the components of the server, and leaves the others to the browser. */
const serverEntry = `
import { Page } from "./page.js";
const rendered = (node) => {
  if (Array.isArray(node)) return node.map(rendered);
  if (typeof node !== "object" || node === null) return node;
  const { type, props } = node;
  if (typeof type === "function") return rendered(type(props));
  const { children, ...others } = props;
  return { type: type.$$id ? { id: type.$$id } : type, props: others, children: rendered(children) };
};
console.log(JSON.stringify(rendered(<Page />)));
`;

/** Draws what the server printed, with the components that it refers to. @param {string} tree */
const browserEntry = (tree) => `
import { createElement } from "react";
import { createRoot } from "react-dom/client";
const modules = new Map();
function add(path, module) { modules.set(path, module); }
const element = (node, key) => {
  if (Array.isArray(node)) return node.map(element);
  if (typeof node !== "object" || node === null) return node;
  const { type, props, children } = node;
  const [path, name] = type.id?.split("#") ?? [];
  return createElement(type.id ? modules.get(path)[name] : type, { ...props, key }, element(children));
};
function start() { createRoot(document.getElementById("cards")).render(element(${tree})); }
`;
