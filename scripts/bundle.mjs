// Bundles the libraries that others install: a file for each entry of a package.json, and one for the main entry's
// other parts. Node takes half a millisecond and more to load each file. Types are the compiler's.
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { builtinModules } from "node:module";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const packages = fileURLToPath(new URL("../packages", import.meta.url));
const libraries = ["protocol", "server", "dialects", "agent", "client"];

/** The dependency that is bundled too, since all of it loads slower than our code. Its types need the dependency. */
const shaken = "zod";

/** The entries that share no file with others, so that a program which imports one of them loads nothing else. */
const alone = ["fields", "text/index"];

/** Bundles every library to its dist folder and removes other JavaScript from there. */
export default async function bundleAll() {
  for (const name of libraries) await bundle(join(packages, name));
}

/** The form of every file. @type {import("rolldown").OutputOptions} */
const written = {
  format: "esm",
  sourcemap: true,
  // The archives have the sources beside the maps.
  sourcemapExcludeSources: true,
  // Lines stay for stack traces. Node decodes and scans ASCII sooner.
  comments: { legal: true, annotation: true, jsdoc: false },
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } },
  chunkFileNames: "[name].js",
};

/** @type {(folder: string) => Promise<void>} */
async function bundle(folder) {
  const manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  const entries = [...sources({ ...manifest.exports, ...manifest.imports })].map(([file, source]) => [
    file.replace(/^\.\/dist\/|\.js$/g, ""),
    resolve(folder, source),
  ]);
  const isAlone = ([name]) => alone.includes(name);
  const input = Object.fromEntries(entries.filter((entry) => !isAlone(entry)));
  const { dependencies = {}, peerDependencies = {} } = manifest;
  const apart = [...Object.keys({ ...dependencies, ...peerDependencies })].filter((name) => name !== shaken);
  const external = (id) =>
    /^(node:|#)/.test(id) ||
    builtinModules.includes(id) ||
    apart.some((name) => id === name || id.startsWith(`${name}/`));

  const graph = await rolldown({ input, external, platform: "node" });
  const main = loadedWith("index.js", (await graph.generate({ format: "esm" })).output);
  const dist = join(folder, "dist");
  const { output } = await graph.write({
    ...written,
    dir: dist,
    codeSplitting: { groups: [{ name: "main", test: (id) => main.has(id) && id !== input.index }] },
  });
  await graph.close();
  for (const entry of entries.filter(isAlone)) {
    // A table of words reads its parts from the file of each language: the other parts are dropped.
    const treeshake = { propertyReadSideEffects: false };
    const own = await rolldown({ input: Object.fromEntries([entry]), external, platform: "node", treeshake });
    output.push(...(await own.write({ ...written, dir: dist })).output);
    await own.close();
  }
  const modules = output.flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
  await writeFile(join(dist, "licenses.txt"), await licenses(modules));
  const files = new Set(output.map(({ fileName }) => fileName));
  for (const entry of await readdir(dist, { recursive: true })) {
    if (/\.js(\.map)?$/.test(entry) && !files.has(entry)) await rm(join(dist, entry));
  }
}

/**
 * The modules that a file loads at once, of a bundle in many files.
 * @type {(file: string, output: import("rolldown").RolldownOutput["output"]) => Set<string>}
 */
function loadedWith(file, output) {
  const chunks = new Map(output.map((chunk) => [chunk.fileName, chunk]));
  const files = new Set([file]);
  for (const name of files) for (const other of chunks.get(name)?.imports ?? []) files.add(other);
  return new Set([...files].flatMap((name) => chunks.get(name)?.moduleIds ?? []));
}

/** The sources of the entries, by the file that is published. @returns {Generator<[string, string]>} */
function* sources(targets) {
  const source = targets["@askwire/source"];
  if (source !== undefined) yield [targets.default, source];
  else for (const target of Object.values(targets)) if (typeof target === "object") yield* sources(target);
}

/** The licenses of the packages that the modules come from. @type {(modules: readonly string[]) => Promise<string>} */
async function licenses(modules) {
  const folders = modules.flatMap((id) => /^.*\/node_modules\/(@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0] ?? []);
  const texts = [...new Set(folders)].sort().map(async (folder) => {
    const { name, version, license, author } = JSON.parse(
      await readFile(join(folder, "package.json"), "utf8"),
    );
    const file = (await readdir(folder)).find((name) => /^licen[cs]e/i.test(name));
    const text = file && (await readFile(join(folder, file), "utf8")).trim();
    return `${name} ${version}\n\n${text ?? `${license} license, by ${author}`}\n`;
  });
  return (await Promise.all(texts)).join("\n\n");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundleAll();
