// Builds the page into a folder of static files, which the command serves: node apps/web/build.mjs [FOLDER]
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { rolldown } from "rolldown";

const here = dirname(fileURLToPath(import.meta.url));

/** The entry with all that the first question needs; other files are loaded later. */
const FIRST = "src/page/open-page.tsx";
/** The entry that takes what the address carries, before anything else is loaded. */
const START = "src/start.ts";

/** Browsers that the page runs in. */
const target = ["es2022", "safari17"];

/**
 * Builds the page and removes all else from the folder. Scripts that load later are files of their own. A browser keeps
 * all of them for ever, since a file with other bytes has another name; only the page itself, the workers and what
 * describes the page keep theirs.
 *
 * @param {string} outdir
 * @param {{ version?: string, plugins?: import("rolldown").Plugin[] }} [options] the version that the page compares with
 *   its server's, default: this package's; and plugins of the bundler, default: none.
 * @returns {Promise<string[]>} the names of the files of the first question's scripts and styles.
 */
export default async function buildPage(outdir, options = {}) {
  const { version, plugins = [] } = {
    ...JSON.parse(await readFile(join(here, "package.json"), "utf8")),
    ...options,
  };
  const [scripts, styles, ...workers] = await Promise.all([
    bundleScripts(version, plugins),
    bundleStyles(),
    bundleWorker("worker"),
    bundleWorker("colours"),
  ]);
  const { start, first } = scripts;
  const [page, later] = styles.map(({ name }) => name);
  const preloads = first.map((name) => `<link rel="modulepreload" href="/${name}">`).join("\n    ");
  const names = { START: start, STYLES: page, LATER: later, PRELOADS: preloads };
  const html = await readFile(join(here, "static/index.html"), "utf8");
  await writeAll(outdir, [
    ...[...scripts.files, ...styles, ...workers].map(({ name, contents }) => [name, contents]),
    ["licenses.txt", await licensesOf([...scripts.modules, ...workers.flatMap(({ modules }) => modules)])],
    ["index.html", html.replace(/%([A-Z]+)%/g, (_, name) => names[name])],
    // A page of an earlier version that is just being loaded asks for these names.
    ["start.js", `import "./${start}";\n`],
    ["page.css", `@import "./${page}";\n`],
  ]);
  return [start, page, ...first];
}

/** @typedef {{ readonly name: string, readonly contents: string | Uint8Array }} BuiltFile */

/** The form of all scripts, whose licenses are in a file of their own. @type {import("rolldown").OutputOptions} */
const written = { minify: true, comments: { legal: false, annotation: false, jsdoc: false } };

/** The input of the bundler. @type {(define: Record<string, string>) => import("rolldown").InputOptions} */
const read = (define) => ({
  cwd: here,
  platform: "browser",
  resolve: { conditionNames: ["@askwire/source"] },
  transform: { target, jsx: "react-jsx", define: { "process.env.NODE_ENV": '"production"', ...define } },
  // Words that only a server of components reads.
  checks: { moduleLevelDirective: false },
});

/**
 * Bundles the scripts of the page: a file for the start, one with the rest of what the first question needs, and others
 * that are loaded later.
 *
 * @param {string} version
 * @param {import("rolldown").Plugin[]} plugins
 * @returns {Promise<{ readonly files: readonly BuiltFile[], readonly modules: readonly string[], readonly start: string,
 *   readonly first: readonly string[] }>} `modules`: the files that the scripts are made of; `first`: the names of the files that the first question needs behind the start.
 */
async function bundleScripts(version, plugins) {
  const define = { __ASKWIRE_VERSION__: JSON.stringify(version) };
  const graph = await rolldown({ ...read(define), input: { start: START }, plugins });
  try {
    const { output } = await graph.generate({ format: "esm" });
    const atStart = modulesOf(loadedWith(START, output));
    const atFirst = modulesOf(loadedWith(FIRST, output));
    // The start waits for the page, which reads what the start reads too: that must not be in the file that waits.
    const groups = [
      { name: "entry", priority: 1, test: (id) => atStart.has(id) && id !== join(here, START) },
      { name: "first", test: (id) => atFirst.has(id) && !atStart.has(id) },
    ];
    const names = {
      entryFileNames: "[name]-[hash].js",
      // The first file names all others: shorter names keep it small.
      chunkFileNames: "[name]-[hash:6].js",
      hashCharacters: "hex",
    };
    const built = await graph.generate({ ...written, ...names, format: "esm", codeSplitting: { groups } });
    const [start] = loadedWith(START, built.output);
    return {
      modules: [...modulesOf(built.output.filter((one) => one.type === "chunk"))],
      files: built.output.map((one) => ({ name: one.fileName, contents: one.code ?? one.source })),
      start: start.fileName,
      first: loadedWith(FIRST, built.output)
        .filter((one) => one !== start)
        .map((one) => one.fileName),
    };
  } finally {
    await graph.close();
  }
}

/** Bundles the styles: those of the first question, and those that come with what is loaded later. */
async function bundleStyles() {
  const { outputFiles } = await build({
    absWorkingDir: here,
    outdir: here,
    entryPoints: { page: "src/page.css", later: "src/later.css" },
    entryNames: "[name]-[hash]",
    ...{ bundle: true, minify: true, target, logLevel: "warning", write: false },
  });
  return outputFiles.map(({ path, contents }) => ({ name: basename(path), contents }));
}

/**
 * Bundles a worker, which a browser asks for by the same name each time.
 * @type {(name: string) => Promise<BuiltFile & { readonly modules: readonly string[] }>}
 */
async function bundleWorker(name) {
  const graph = await rolldown({ ...read({}), input: { [name]: `src/${name}.ts` } });
  try {
    const { output } = await graph.generate({ ...written, format: "iife", entryFileNames: "[name].js" });
    return { name: output[0].fileName, contents: output[0].code, modules: [...modulesOf([output[0]])] };
  } finally {
    await graph.close();
  }
}

/**
 * The licenses of all packages of others that the page is made of, by their names.
 * @type {(modules: readonly string[]) => Promise<string>}
 */
async function licensesOf(modules) {
  const folders = new Set(
    modules.flatMap((module) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(module)?.[0] ?? []),
  );
  const texts = await Promise.all(
    [...folders].map(async (folder) => {
      const { name, version, license } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
      const file = (await readdir(folder)).find((one) => /^licen[cs]e/i.test(one));
      const text = file === undefined ? license : await readFile(join(folder, file), "utf8");
      return `${name} ${version}\n\n${text.trim()}\n`;
    }),
  );
  const parts = [...new Set(texts)].sort();
  return `This page is made with these packages.\n\n${parts.join(`\n${"-".repeat(80)}\n\n`)}`;
}

/**
 * The files that the file of an entry imports at once, and itself first.
 * @type {(entry: string, output: import("rolldown").RolldownOutput["output"]) => import("rolldown").OutputChunk[]}
 */
function loadedWith(entry, output) {
  const chunks = output.filter((one) => one.type === "chunk");
  const own = chunks.find(({ facadeModuleId }) => facadeModuleId === join(here, entry));
  if (own === undefined) throw new Error(`${entry} is no file of its own: load it by import()`);
  const files = new Set([own]);
  for (const { imports } of files)
    for (const one of chunks) if (imports.includes(one.fileName)) files.add(one);
  return [...files];
}

/** @type {(chunks: readonly import("rolldown").OutputChunk[]) => Set<string>} */
const modulesOf = (chunks) => new Set(chunks.flatMap(({ moduleIds }) => moduleIds));

/**
 * Writes these files and the static ones, and removes all else from the folder.
 *
 * @param {string} outdir
 * @param {(readonly [name: string, contents: string | Uint8Array])[]} files
 */
async function writeAll(outdir, files) {
  await mkdir(outdir, { recursive: true });
  const statics = await readdir(join(here, "static"));
  const written = [...statics, ...files.map(([name]) => name)];
  for (const name of await readdir(outdir)) {
    if (!written.includes(name)) await rm(join(outdir, name), { recursive: true });
  }
  for (const name of statics) await copyFile(join(here, "static", name), join(outdir, name));
  for (const [name, contents] of files) await writeFile(join(outdir, name), contents);
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await buildPage(process.argv[2] ?? join(here, "dist/page"));
