// Builds the page into a folder of static files, which the command serves: node apps/web/build.mjs [FOLDER]
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));

/** The entry with all that the first question needs; other files are loaded later. */
const first = "src/page/open-page.tsx";

/**
 * Builds the page and removes all else from the folder. Scripts that load later are files of their own.
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
  const { metafile, outputFiles } = await build({
    absWorkingDir: here,
    entryPoints: {
      start: "src/start.ts",
      page: "src/page.css",
      worker: "src/worker.ts",
      colours: "src/colours.ts",
    },
    outdir,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "browser",
    target: ["es2022", "safari17"],
    conditions: ["@askwire/source"],
    jsx: "automatic",
    minify: true,
    legalComments: "eof",
    chunkNames: "[name]-[hash]",
    define: { "process.env.NODE_ENV": '"production"', __ASKWIRE_VERSION__: JSON.stringify(version) },
    logLevel: "warning",
    plugins,
    metafile: true,
    write: false,
  });
  const outputs = Object.entries(metafile.outputs);
  const page = outputs.find(([, { entryPoint }]) => entryPoint === first)?.[0];
  if (page === undefined) throw new Error(`${first} is no file of its own: load it by import()`);
  await mkdir(outdir, { recursive: true });
  const statics = await readdir(join(here, "static"));
  const written = [...statics, ...outputFiles.map(({ path }) => basename(path))];
  for (const name of await readdir(outdir)) {
    if (!written.includes(name)) await rm(join(outdir, name), { recursive: true });
  }
  for (const { path, contents } of outputFiles) await writeFile(path, contents);
  for (const name of statics) await copyFile(join(here, "static", name), join(outdir, name));
  const html = await readFile(join(here, "static/index.html"), "utf8");
  await writeFile(join(outdir, "index.html"), html.replace("%PAGE%", basename(page)));
  return ["start.js", "page.css", ...loadedWith(page, metafile.outputs)];
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
