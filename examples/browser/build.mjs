// Bundles the page into a folder of static files: node examples/browser/build.mjs [FOLDER]
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const source = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));

/** Builds the page, for any static server. */
export async function buildPage(folder = source("../dist/browser")) {
  await build({
    entryPoints: [source("page.mjs")],
    outfile: join(folder, "page.js"),
    bundle: true,
    format: "esm",
    platform: "browser",
    minify: true,
  });
  for (const name of ["index.html", "page.css"]) await copyFile(source(name), join(folder, name));
  return folder;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildPage(process.argv[2]);
