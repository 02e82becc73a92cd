// Builds the page into a folder of static files, which the command serves: node apps/web/build.mjs [FOLDER]
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));

/** The entry with all that the first question needs; other files are loaded later. */
const first = "src/page/open-page.tsx";

/**
 * Builds the page and removes all else from the folder. Scripts that load later are files of their own. A browser keeps
 * all of them for ever, since a file with other bytes has another name; only the page itself, the worker and what
 * describes the page keep theirs.
 *
 * @param {string} outdir
 * @param {{ version?: string, plugins?: import("esbuild").Plugin[] }} [options] the version that the page compares with
 *   its server's, default: this package's; and plugins of the bundler, default: none.
 * @returns {Promise<string[]>} the names of the files of the first question's scripts and styles.
 */
export default async function buildPage(outdir, options = {}) {
  const { version, plugins = [] } = {
    ...JSON.parse(await readFile(join(here, "package.json"), "utf8")),
    ...options,
  };
  /** @satisfies {import("esbuild").BuildOptions} */
  const alike = {
    absWorkingDir: here,
    outdir,
    bundle: true,
    platform: "browser",
    target: ["es2022", "safari17"],
    conditions: ["@askwire/source"],
    minify: true,
    legalComments: "eof",
    define: { "process.env.NODE_ENV": '"production"', __ASKWIRE_VERSION__: JSON.stringify(version) },
    logLevel: "warning",
    write: false,
  };
  const { metafile, outputFiles } = await build({
    ...alike,
    entryPoints: { start: "src/start.ts", page: "src/page.css", later: "src/later.css" },
    splitting: true,
    format: "esm",
    jsx: "automatic",
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    plugins,
    metafile: true,
  });
  // A browser asks for the worker by the name that it was registered with, and the page for the one that finds colours.
  const workers = { worker: "src/worker.ts", colours: "src/colours.ts" };
  const worker = await build({ ...alike, entryPoints: workers });
  /** @param {string} source */
  const nameOf = (source) => {
    const [path] = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === source) ?? [];
    if (path === undefined) throw new Error(`${source} is no file of its own: load it by import()`);
    return path;
  };
  const [start, styles, later, page] = ["src/start.ts", "src/page.css", "src/later.css", first].map(nameOf);
  const names = { START: start, STYLES: styles, LATER: later, PAGE: page };
  const html = await readFile(join(here, "static/index.html"), "utf8");
  const filled = html.replace(/%([A-Z]+)%/g, (_, name) => basename(names[name]));
  await writeAll(outdir, [
    ...[...outputFiles, ...worker.outputFiles].map(({ path, contents }) => [basename(path), contents]),
    ["index.html", filled],
    // A page of an earlier version that is just being loaded asks for these names.
    ["start.js", `import "./${basename(start)}";\n`],
    ["page.css", `@import "./${basename(styles)}";\n`],
  ]);
  return [basename(start), basename(styles), ...loadedWith(page, metafile.outputs)];
}

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

/** The files that a file imports at once, and itself. @type {(file: string, outputs: import("esbuild").Metafile["outputs"]) => string[]} */
function loadedWith(file, outputs) {
  const files = new Set([file]);
  for (const name of files) {
    for (const { path, kind } of outputs[name]?.imports ?? [])
      if (kind === "import-statement") files.add(path);
  }
  return [...files].map((name) => basename(name));
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await buildPage(process.argv[2] ?? join(here, "dist/page"));
